"""Sends translation requests to a server from many connections at once, for bench/serve."""
import asyncio
import json
import time


class LoadFailed(Exception):
    pass


class Client:
    """A connection over which requests are sent one after the other. It reads just as much of HTTP
    as the servers use, because its processor time is taken from the server.
    """

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def post(self, request):
        """Returns the body of the reply. Opens the connection again if the server has said in the
        last reply that it closes it.
        """
        if not self.writer:
            await self.open()
        self.writer.write(request)
        header = await self.reader.readuntil(b"\r\n\r\n")
        if not header.startswith(b"HTTP/1.1 200"):
            raise LoadFailed(header.decode(errors="replace"))
        lowered = header.lower()
        start = lowered.index(b"content-length:") + len(b"content-length:")
        length = int(lowered[start:lowered.index(b"\r\n", start)])
        body = await self.reader.readexactly(length)
        if b"connection: close" in lowered:
            self.close()
        return body

    def close(self):
        if self.writer:
            self.writer.close()
        self.writer = None


def make_request(texts, source="de", target="en"):
    body = json.dumps({"q": texts, "source": source, "target": target}).encode()
    return (b"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)) + body


class Load:
    """Requests of `size` texts each (1: a text, not a list), from `clients` connections. `rate` is
    the number of requests per second that are due, evenly spaced, or None: each client sends the
    next request as soon as it has a reply. The time of a request counts from when it was due.
    """

    def __init__(self, lines, size, clients, seconds, rate=None):
        groups = [lines[i:i + size] for i in range(0, len(lines) - size + 1, size)]
        self.requests = [make_request(group[0] if size == 1 else group) for group in groups]
        self.clients = clients
        self.seconds = seconds
        self.rate = rate
        self.sent = 0
        self.times = []

    def run(self, port):
        """Returns requests per second and the times of requests in seconds, sorted."""
        return asyncio.run(self._run(port))

    async def _run(self, port):
        clients = [Client(port) for _ in range(self.clients)]
        for client in clients:
            await client.open()
        self.begin = time.perf_counter()
        self.end = self.begin + self.seconds
        await asyncio.gather(*(self._send(client) for client in clients))
        elapsed = time.perf_counter() - self.begin
        for client in clients:
            client.close()
        return len(self.times) / elapsed, sorted(self.times)

    async def _send(self, client):
        while True:
            due = time.perf_counter()
            number = self.sent
            if self.rate is not None:
                due = self.begin + number / self.rate
            if due >= self.end:
                return
            self.sent += 1
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await client.post(self.requests[number % len(self.requests)])
            self.times.append(time.perf_counter() - due)


def percentile(times, share):
    return times[min(len(times) - 1, int(share * len(times)))]


// Sends requests to the service that the page comes from.

/** An error that the service has answered, or a service that does not answer. */
class ServiceError extends Error {
  constructor(message, retrySeconds = 0) {
    super(message);
    this.retrySeconds = retrySeconds;  // 0: the same request would fail again
  }
}

/** Returns the reply to a request, as JSON. */
async function ask(path, options = {}) {
  let reply;
  try {
    reply = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError("The service does not answer", 5);
  }
  const body = await reply.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return null;  // a proxy may answer with a page
  });
  if (reply.ok && body !== null) return body;
  throw new ServiceError(body?.error ?? `The service answers with status ${reply.status}`,
                         Number(reply.headers.get("Retry-After")));
}

/** Returns the options of a POST request with JSON, to which the key of the client is added. */
function post(fields, signal = null) {
  const key = sessionStorage.getItem("key");
  return { method: "POST", headers: { "Content-Type": "application/json" }, signal,
           body: JSON.stringify(key ? { ...fields, api_key: key } : fields) };
}

"""Trains on prepared data for some time, and draws memory and speed, for bench/prepare."""
import json
import subprocess
import time

from processes import resident
from train_runs import RunFailed

SECONDS_BETWEEN_SAMPLES = 10
WIDTH, PANEL, LEFT, TOP, GAP = 720, 180, 70, 30, 50


def train(options, folder, config):
    """Trains for --train minutes. Returns samples of memory, and the speeds of the log."""
    run = folder / "run"
    command = [options.build / "tfm", "-q", "train", "--config", config,
               f"training.run_folder={run}", f"training.max_minutes={options.train}",
               "training.max_steps=10000000", f"training.threads={options.threads}",
               "training.save_minutes=5", "training.keep_checkpoints=1"]
    samples = []
    begin = time.monotonic()
    with subprocess.Popen([str(part) for part in command]) as process:
        while process.poll() is None:
            try:
                samples.append((time.monotonic() - begin, *resident(process.pid)))
            except ProcessLookupError:
                break
            time.sleep(SECONDS_BETWEEN_SAMPLES)
    if process.returncode != 0:
        raise RunFailed(f"tfm train ended with {process.returncode}")
    events = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    steps = [event for event in events if event["event"] == "step"]
    speeds = [(event["seconds"], event["tokens_per_second"]) for event in steps]
    return {"memory": samples, "speed": speeds, "updates": steps[-1]["step"]}


def round_up(value):
    """Returns a multiple of 4, 8, 20, 40, 80, 200, ... that is at least the value."""
    unit = next(unit * 10**power for power in range(9) for unit in (0.4, 0.8, 2)
                if unit * 10**power * 10 >= value)
    return unit * -(-value // unit)


def curve(points, scale_x, scale_y, color):
    places = " ".join(f"{scale_x(x):.1f},{scale_y(y):.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{color}" stroke-width="1.5"/>'


def panel(number, title, curves, minutes):
    """Draws curves, each a name, a colour and points (seconds, value), from 0 to their highest."""
    top = TOP + number * (PANEL + GAP)
    highest = round_up(max(value for _, _, points in curves for _, value in points))
    scale_x = lambda seconds: LEFT + seconds / 60 / minutes * (WIDTH - LEFT - 20)
    scale_y = lambda value: top + PANEL * (1 - value / highest)
    parts = [f'<text x="{LEFT}" y="{top - 10}" font-weight="bold">{title}</text>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = scale_y(share * highest)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" '
                     'stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                     f'{share * highest:,.0f}</text>')
    for index, (name, color, points) in enumerate(curves):
        parts.append(curve(points, scale_x, scale_y, color))
        if name:
            parts.append(f'<text x="{WIDTH - 20 - 140 * index}" y="{top - 10}" '
                         f'text-anchor="end" fill="{color}">{name}</text>')
    for minute in range(0, int(minutes) + 1, max(1, int(minutes) // 6)):
        parts.append(f'<text x="{scale_x(minute * 60):.1f}" y="{top + PANEL + 16}" '
                     f'text-anchor="middle">{minute} min</text>')
    return parts


def draw(trained):
    """Returns an SVG with memory and speed over time."""
    memory = trained["memory"]
    minutes = max(memory[-1][0], trained["speed"][-1][0]) / 60
    own = [(seconds, anonymous) for seconds, anonymous, _ in memory]
    total = [(seconds, anonymous + mapped) for seconds, anonymous, mapped in memory]
    curves = [("with mapped files", "#b45309", total), ("own memory", "#1d4ed8", own)]
    parts = panel(0, "resident memory, MiB", curves, minutes)
    parts += panel(1, "tokens per second", [("", "#15803d", trained["speed"])], minutes)
    height = TOP + 2 * (PANEL + GAP)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            'font-family="sans-serif" font-size="12">\n'
            '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")

// Draws a line chart as SVG: axes with round numbers, one line per curve, and a cursor at the step
// that the pointer or the arrow keys select.

const curveColour = (index) => `var(--curve-${index % 6})`;
const isNumber = (value) => value !== null;  // JSON has null for values that are not finite

/** Returns the distance of about `count` ticks in a range: 1, 2 or 5 times a power of ten. */
function tickDistance(range, count) {
  const rough = range / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) * power;
}

/** Returns the multiples of `distance` from low to high. */
function ticks(low, high, distance) {
  const result = [];
  for (let i = Math.ceil(low / distance - 1e-9); i * distance <= high + distance * 1e-9; ++i) {
    result.push(Number((i * distance).toPrecision(12)));
  }
  return result;
}

function shortNumber(value, digits = 4) {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) {
    return value.toExponential(digits - 3).replace(/\.?0*e/, "e").replace("e+", "e");
  }
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(digits))}M`;
  if (size >= 1e3) return `${Number((value / 1e3).toPrecision(digits))}k`;
  return String(Number(value.toPrecision(digits)));
}

/** Returns labels of 4 significant digits, or of up to 12 if labels would otherwise be equal. */
function labelTicks(values) {
  for (let digits = 4; ; ++digits) {
    const labels = values.map((value) => shortNumber(value, digits));
    if (digits === 12 || new Set(labels).size === values.length) return labels;
  }
}

const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
const greatest = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** Returns ticks whose first and last enclose all values, so there are always at least two. */
function enclosingTicks(values) {
  let low = least(values), high = greatest(values);
  if (!Number.isFinite(low)) [low, high] = [0, 1];
  if (low === high) {
    const margin = Math.abs(low) * 0.1 || 1;
    [low, high] = [low >= 0 ? Math.max(0, low - margin) : low - margin, high + margin];
  }
  const distance = tickDistance(high - low, 4);
  const floor = Math.floor(low / distance + 1e-9), ceil = Math.ceil(high / distance - 1e-9);
  return ticks(floor * distance, ceil * distance, distance);
}

/** Returns the ticks of the y axis. */
function valueTicks(chart) {
  const numbers = chart.curves.flatMap((curve) => curve.points.map(([, value]) => value));
  return enclosingTicks(numbers.filter(isNumber));
}

/** Returns the x axis that all charts share. It begins at step 0, right of the widest y label. */
function sharedAxis(charts) {
  const labels = charts.flatMap((chart) => labelTicks(valueTicks(chart)));
  const steps = charts.flatMap(
    ({ curves }) => curves.flatMap(({ points }) => points.map(([step]) => step)));
  return {
    end: Math.max(1, greatest(steps)), left: 12 + 7 * greatest(labels.map((text) => text.length)),
  };
}

function computeLayout(chart, width, { end, left }) {
  const values = valueTicks(chart), labels = labelTicks(values);
  const lowest = values[0], highest = values.at(-1);
  const height = Math.round(Math.min(290, Math.max(190, width * 0.5)));
  const right = 14, top = 18, bottom = 40, plot = width - left - right;
  const count = Math.max(2, Math.floor(width / 110));
  return {
    width, height, left, right, top, bottom, values, labels,
    steps: ticks(0, end, Math.max(1, tickDistance(end, count))),
    x: (step) => left + (step / end) * plot,
    step: (x) => Math.min(Math.max(Math.round(((x - left) / plot) * end), 0), end),
    y: (value) =>
      height - bottom - ((value - lowest) / (highest - lowest)) * (height - top - bottom),
  };
}

function axes(layout) {
  const group = svgElement("g", { class: "axes" });
  layout.values.forEach((value, index) => {
    const y = layout.y(value).toFixed(1);
    const ends = { x1: layout.left, x2: layout.width - layout.right, y1: y, y2: y };
    const place = {
      class: "value", x: layout.left - 6, y, "text-anchor": "end", "dominant-baseline": "middle",
    };
    group.append(svgElement("line", { class: "grid", ...ends }),
                 svgElement("text", place, layout.labels[index]));
  });
  const line = layout.height - layout.bottom;
  for (const step of layout.steps) {
    const x = layout.x(step).toFixed(1);
    const place = {
      class: "step", x: Math.min(x, layout.width - 18), y: line + 17, "text-anchor": "middle",
    };
    group.append(svgElement("line", { class: "tick", x1: x, x2: x, y1: line, y2: line + 4 }),
                 svgElement("text", place, shortNumber(step)));
  }
  const middle = (layout.left + layout.width - layout.right) / 2;
  const place = { class: "axis-name", x: middle, y: layout.height - 5, "text-anchor": "middle" };
  group.append(svgElement("text", place, "step"));
  return group;
}

/** Marks the step of the best model. */
function drawBest(step, layout) {
  const group = svgElement("g", { class: "best" });
  const x = layout.x(step).toFixed(1);
  const anchor = x > layout.width - 60 ? "end" : "middle";
  group.append(
    svgElement("line", { x1: x, x2: x, y1: layout.top, y2: layout.height - layout.bottom }),
    svgElement("text", { x, y: layout.top - 6, "text-anchor": anchor }, "best"));
  return group;
}

/** Draws a line that is interrupted at missing values. Short curves also have dots. */
function drawCurve(curve, index, layout) {
  const group = svgElement("g");
  let path = "", drawing = false;
  for (const [step, value] of curve.points) {
    if (isNumber(value)) {
      path += `${drawing ? "L" : "M"}${layout.x(step).toFixed(1)} ${layout.y(value).toFixed(1)}`;
    }
    drawing = isNumber(value);
  }
  // There are six colours, so later curves are dashed.
  const style = `stroke: ${curveColour(index)}` + (index < 6 ? "" : "; stroke-dasharray: 6 4");
  group.append(svgElement("path", { class: "curve", d: path, style }));
  if (curve.points.length > 40) return group;
  for (const [step, value] of curve.points.filter((point) => isNumber(point[1]))) {
    const place = { cx: layout.x(step).toFixed(1), cy: layout.y(value).toFixed(1) };
    group.append(svgElement("circle", { ...place, r: 2.5, style: `fill: ${curveColour(index)}` }));
  }
  return group;
}

/**
 * Returns the chart as {svg, layout, cursor, dots}; the dots mark the values at the cursor. `axis`
 * is the result of sharedAxis, and `best` a step to mark, or null.
 */
function drawChart(chart, width, axis, best) {
  const layout = computeLayout(chart, width, axis);
  const svg = svgElement("svg", {
    width, height: layout.height, viewBox: `0 0 ${width} ${layout.height}`, "aria-hidden": "true",
  });
  svg.append(axes(layout));
  if (best !== null) svg.append(drawBest(best, layout));
  chart.curves.forEach((curve, index) => svg.append(drawCurve(curve, index, layout)));
  const ends = { y1: layout.top, y2: layout.height - layout.bottom };
  const cursor = svgElement("line", { class: "cursor", ...ends, visibility: "hidden" });
  const dots = svgElement("g", { class: "dots" });
  svg.append(cursor, dots);
  return { svg, layout, cursor, dots };
}

// Draws a line chart as SVG: axes with round numbers, one line per curve, and a cursor at the step
// that pointer or arrow keys select.

const svgElement = (name, attributes = {}, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

const curveColour = (index) => `var(--curve-${index % 6})`;
const isNumber = (value) => value !== null;  // JSON has null for values that are not finite

/** Returns about `count` numbers from low to high, at steps of 1, 2 or 5 times a power of ten. */
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const result = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
    result.push(Number((i * step).toPrecision(12)));
  }
  return result;
}

function shortNumber(value) {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) {
    return value.toExponential(1).replace(".0e", "e").replace("e+", "e");
  }
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(4))}M`;
  if (size >= 1e3) return `${Number((value / 1e3).toPrecision(4))}k`;
  return String(Number(value.toPrecision(4)));
}

const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
const greatest = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** Returns the smallest and largest value with a margin, so that they differ. */
function extent(values) {
  const low = least(values), high = greatest(values);
  if (!Number.isFinite(low)) return [0, 1];
  const margin = low === high ? Math.abs(low) * 0.1 || 1 : (high - low) * 0.04;
  return [low >= 0 ? Math.max(0, low - margin) : low - margin, high + margin];
}

function computeLayout(chart, width) {
  const points = chart.curves.flatMap((curve) => curve.points)
                             .filter(([, value]) => isNumber(value));
  const steps = points.map(([step]) => step);
  const [lowest, highest] = extent(points.map(([, value]) => value));
  const first = least(steps), last = greatest(steps);
  const begin = Number.isFinite(first) ? first : 0, end = last > begin ? last : begin + 1;
  const height = Math.round(Math.min(280, Math.max(180, width * 0.5)));
  const values = ticks(lowest, highest, 4);
  const left = 10 + 7 * Math.max(...values.map((value) => shortNumber(value).length), 1);
  const right = 14, top = 8, bottom = 24;
  return {
    width, height, left, right, top, bottom, values,
    steps: ticks(begin, end, Math.max(2, Math.floor(width / 110))).filter(Number.isInteger),
    x: (step) => left + ((step - begin) / (end - begin)) * (width - left - right),
    y: (value) =>
      height - bottom - ((value - lowest) / (highest - lowest)) * (height - top - bottom),
  };
}

function axes(layout) {
  const group = svgElement("g", { class: "axes" });
  for (const value of layout.values) {
    const y = layout.y(value).toFixed(1);
    const ends = { x1: layout.left, x2: layout.width - layout.right, y1: y, y2: y };
    const place = { x: layout.left - 6, y, "text-anchor": "end", "dominant-baseline": "middle" };
    group.append(svgElement("line", { class: "grid", ...ends }),
                 svgElement("text", place, shortNumber(value)));
  }
  group.append(svgElement("text", { x: layout.left, y: layout.height - 6 }, "step"));
  for (const step of layout.steps.filter((one) => layout.x(one) > layout.left + 44)) {
    const x = Math.min(layout.x(step), layout.width - 18);
    const place = { x: x.toFixed(1), y: layout.height - 6, "text-anchor": "middle" };
    group.append(svgElement("text", place, shortNumber(step)));
  }
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
  const style = `stroke: ${curveColour(index)}`;
  group.append(svgElement("path", { class: "curve", d: path, style }));
  if (curve.points.length > 40) return group;
  for (const [step, value] of curve.points.filter((point) => isNumber(point[1]))) {
    const place = { cx: layout.x(step).toFixed(1), cy: layout.y(value).toFixed(1) };
    group.append(svgElement("circle", { ...place, r: 2.5, style: `fill: ${curveColour(index)}` }));
  }
  return group;
}

/** Returns the chart as {svg, layout, cursor}. `best` is a step to mark, or null. */
function drawChart(chart, width, best) {
  const layout = computeLayout(chart, width);
  const svg = svgElement("svg", {
    width, height: layout.height, viewBox: `0 0 ${width} ${layout.height}`, "aria-hidden": "true",
  });
  const ends = { y1: layout.top, y2: layout.height - layout.bottom };
  svg.append(axes(layout));
  if (best !== null) {
    const x = layout.x(best).toFixed(1);
    svg.append(svgElement("line", { class: "best", x1: x, x2: x, ...ends }));
  }
  chart.curves.forEach((curve, index) => svg.append(drawCurve(curve, index, layout)));
  const cursor = svgElement("line", { class: "cursor", ...ends, visibility: "hidden" });
  svg.append(cursor);
  return { svg, layout, cursor };
}

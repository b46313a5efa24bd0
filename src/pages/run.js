// Shows a run, or a comparison of runs: facts, tables, samples, the config, and charts that react
// to the pointer and the arrow keys.

const run = JSON.parse(byId("run").textContent);

// ---- charts ----

const axis = sharedAxis(run.charts);

/** Returns the last point of the curve at or before a step, or undefined. */
const pointAt = (curve, step) => curve.points.findLast((point) => point[0] <= step);

const tableNumber = (value) =>
  (value === undefined || value === null ? "" : String(Number(value.toPrecision(5))));

function legendEntry(curve, index, value, note) {
  const swatch = element("span", { class: "swatch", style: `background: ${curveColour(index)}` });
  const text = isNumber(value) ? shortNumber(value) : "–";
  return element("span", {}, swatch, `${curve.name} `, element("strong", {}, text),
                 element("span", { class: "caption" }, note));
}

class ChartView {
  constructor(chart) {
    this.chart = chart;
    const steps = chart.curves.flatMap((curve) => curve.points.map(([step]) => step));
    this.steps = [...new Set(steps)].sort((a, b) => a - b);
    this.step = null;  // null shows the newest values
    this.place = element("div", {
      class: "chart", tabindex: 0, role: "application", "aria-roledescription": "line chart",
      "aria-label": chart.title,
    });
    this.legend = element("output", { class: "legend", "aria-live": "polite" });
    const numbers = element("details", {}, element("summary", {}, "The numbers as a table"));
    numbers.addEventListener("toggle", () => {
      if (numbers.children.length === 1) numbers.append(this.table());
    });
    this.card = element("section", { class: "card" }, element("h2", {}, chart.title),
                        element("p", { class: "hint" }, chart.hint), this.legend, this.place,
                        numbers);
    this.place.addEventListener("pointermove", (event) => this.point(this.stepAt(event)));
    this.place.addEventListener("pointerdown", (event) => this.point(this.stepAt(event)));
    this.place.addEventListener("pointerleave", () => this.point(null));
    this.place.addEventListener("keydown", (event) => this.moveByKey(event));
  }

  draw() {
    const width = Math.max(240, this.place.clientWidth);
    Object.assign(this, drawChart(this.chart, width, axis, run.best_step));
    this.place.replaceChildren(this.svg);
    this.point(this.step);
  }

  /** Returns the nearest step with values if it is within a pixel, else the step at the pointer. */
  stepAt(event) {
    const x = event.clientX - this.svg.getBoundingClientRect().left;
    const distance = (step) => Math.abs(this.layout.x(step) - x);
    const known = this.steps.reduce(
      (best, step) => (distance(step) < distance(best) ? step : best), this.steps[0]);
    return distance(known) <= 1 ? known : this.layout.step(x);
  }

  moveByKey(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.point(null);
    if (!move) return;
    event.preventDefault();
    const outside = move < 0 ? this.steps.length : -1;
    const before = this.steps.findLastIndex((step) => step <= this.step);
    const between = move < 0 && this.steps[before] !== this.step ? 1 : 0;
    const from = this.step === null ? outside : before + between;
    this.point(this.steps[Math.min(Math.max(from + move, 0), this.steps.length - 1)]);
  }

  point(step) {
    this.step = step;
    this.cursor.setAttribute("visibility", step === null ? "hidden" : "visible");
    if (step !== null) {
      const x = this.layout.x(step).toFixed(1);
      for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, x);
    }
    const shown = step ?? this.steps.at(-1);
    const caption = step === null ? "newest" : `step ${step}`;
    this.legend.replaceChildren(element("span", { class: "caption" }, caption));
    this.dots.replaceChildren();
    this.chart.curves.forEach((curve, index) => {
      const [at, value] = pointAt(curve, shown) ?? [shown, null];
      this.legend.append(legendEntry(curve, index, value, at === shown ? "" : ` (step ${at})`));
      if (step === null || !isNumber(value)) return;
      const place = { cx: this.layout.x(at).toFixed(1), cy: this.layout.y(value).toFixed(1) };
      this.dots.append(
        svgElement("circle", { ...place, r: 4.5, style: `fill: ${curveColour(index)}` }));
    });
  }

  table() {
    const { curves } = this.chart;
    const values = curves.map((curve) => new Map(curve.points));
    const cell = (value) => element("td", {}, tableNumber(value));
    const body = this.steps.map((step) => element("tr", {},
      element("th", { scope: "row" }, String(step)), ...values.map((of) => cell(of.get(step)))));
    const names = ["step", ...curves.map((curve) => curve.name)];
    const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)));
    const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
    const label = `${this.chart.title}: numbers`;
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
                   table);
  }
}

// ---- samples ----

/**
 * Merges equal translations of consecutive validations into [first step, last step, text], newest
 * first.
 */
function mergeRepeats(hypotheses) {
  const spans = [];
  for (const [step, text] of hypotheses) {
    if (spans.length > 0 && spans.at(-1)[2] === text) spans.at(-1)[1] = step;
    else spans.push([step, step, text]);
  }
  return spans.reverse();
}

function sampleView({ source, reference, hypotheses }) {
  const parts = (caption, text) =>
    [element("span", { class: "caption" }, caption), element("bdi", {}, text)];
  const line = (name, caption, text) =>
    element(name, text === reference ? { class: "exact" } : {}, ...parts(caption, text));
  const items = mergeRepeats(hypotheses).map(([first, last, text]) =>
    line("li", first === last ? `step ${first}` : `step ${first}–${last}`, text));
  const view = element("div", { class: "sample" }, line("p", "source", source),
                       element("p", {}, ...parts("reference", reference)),
                       element("ol", {}, ...items.slice(0, 4)));
  if (items.length > 4) {
    view.append(element("details", {}, element("summary", {}, `${items.length - 4} earlier`),
                        element("ol", {}, ...items.slice(4))));
  }
  return view;
}

// ---- files ----

/** Returns all curves as CSV: one column per curve, one line per step. */
function metricsCsv() {
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const columns = run.charts.flatMap(({ title, curves }) => curves.map(({ name, points }) => ({
    name: curves.length > 1 ? `${title}, ${name}` : title, values: new Map(points),
  })));
  const steps = [...new Set(columns.flatMap(({ values }) => [...values.keys()]))];
  const lines = steps.sort((a, b) => a - b).map(
    (step) => [step, ...columns.map(({ values }) => values.get(step) ?? "")].join(","));
  return `${["step", ...columns.map(({ name }) => quoted(name))].join(",")}\n${lines.join("\n")}\n`;
}

const metricsJson = () => JSON.stringify({ name: run.name, charts: run.charts }, null, 1);

// ---- start ----

/** Returns a card with a table that has one column per run. */
function tableView({ title, hint, columns, rows }) {
  const cells = (name, values) => values.map((value) => element(name, {}, value));
  const head = element("tr", {}, element("td"), ...cells("th", columns));
  const body = rows.map(({ name, values }) => element(
    "tr", {}, element("th", { scope: "row" }, name), ...cells("td", values)));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  const attributes = { class: "scroll", tabindex: 0, role: "region", "aria-label": title };
  return element("section", { class: "card" }, element("h2", {}, title),
                 element("p", { class: "hint" }, hint), element("div", attributes, table));
}

const definitions = (pairs) => pairs.map(([name, value]) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, value)));

/** Shows the first word of the state as a badge, and the rest next to it. */
function showState() {
  const [, word, rest] = /^(\w*)[: ]*(.*)$/s.exec(run.state);
  byId("state").textContent = word;
  byId("state").dataset.state = word;
  byId("state-details").textContent = rest;
  byId("state-line").hidden = run.state === "";
}

document.title = `${run.name} – tfm`;
byId("name").textContent = run.name;
showState();
byId("results").append(...definitions(run.results));
byId("facts").append(...definitions(run.facts));
byId("facts-card").hidden = run.results.length + run.facts.length === 0;
byId("settings").append(...run.settings.map(([name, value]) => element(
  "tr", {}, element("th", { scope: "row" }, name), element("td", {}, value))));
byId("settings-hint").textContent = run.settings.length > 0
  ? "Fields that differ from the defaults." : "No field differs from the defaults.";
byId("config").textContent = run.config;
byId("config-card").hidden = run.config === "";
byId("tables").append(...run.tables.map(tableView));
byId("generated").textContent = run.generated;
byId("data-card").hidden = run.charts.length === 0;
byId("save-csv").addEventListener(
  "click", () => save(`${run.name}.csv`, "text/csv", metricsCsv()));
byId("save-json").addEventListener(
  "click", () => save(`${run.name}.json`, "application/json", metricsJson()));
byId("samples").append(...run.samples.map(sampleView));
byId("samples-card").hidden = run.samples.length === 0;
const views = run.charts.map((chart) => new ChartView(chart));
byId("charts").append(...views.map((view) => view.card));
const drawAll = () => views.forEach((view) => view.draw());
drawAll();
let width = byId("charts").clientWidth;
new ResizeObserver(() => {
  // deferred, because drawing here would change the observed size
  if (byId("charts").clientWidth !== width) requestAnimationFrame(drawAll);
  width = byId("charts").clientWidth;
}).observe(byId("charts"));
if (run.running) setTimeout(() => location.reload(), 60000);
document.documentElement.dataset.ready = "true";

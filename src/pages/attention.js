// Handles events of the pointer, the keyboard and the buttons, and starts the page.

function cellAt(event) {
  const { layout, map } = shown;
  const box = shown.svg.getBoundingClientRect();
  const column = Math.floor((event.clientX - box.left - layout.left) / layout.cell);
  const row = Math.floor((event.clientY - box.top - layout.top) / layout.cell);
  const within = row >= 0 && row < map.rows.length && column >= 0 && column < map.columns.length;
  return within ? [row, column] : null;
}

function point(cell) {
  if (String(cell) === String(pointed)) return;
  pointed = cell;
  showCell();
}

function keep(cell) {
  pointed = null;
  state.cell = cell;
  showCell();
  writeHash();
}

function moveByKey(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  if (event.key === "Escape") return keep(null);
  if (event.key === "Enter" && currentCell()) return keep(currentCell());
  const step = steps[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const { map, layout } = shown;
  const from = currentCell();
  const bounded = (value, count) => Math.min(Math.max(value, 0), count - 1);
  keep(from ? [bounded(from[0] + step[0], map.rows.length),
               bounded(from[1] + step[1], map.columns.length)] : [0, 0]);
  const right = layout.left + (state.cell[1] + 1) * layout.cell, place = byId("map");
  if (right > place.scrollLeft + place.clientWidth) {
    place.scrollLeft = right - place.clientWidth + layout.cell;
  }
  if (right - layout.cell < place.scrollLeft + layout.left) {
    place.scrollLeft = right - layout.cell - layout.left;
  }
}

function saveSvg() {
  const { map } = shown;
  // The saved map uses the light theme, and its width does not depend on the window.
  const { svg } = drawMap(map, palettes.light, scaleMaximum(map), 22 * map.columns.length + 160);
  svg.prepend(svgElement("title", {}, byId("map-title").textContent),
              svgElement("style", {}, "text { unicode-bidi: plaintext; white-space: pre; }"));
  const part = (axis) => (chosen(axis) === null ? `mean-${axis}` : `${axis}-${chosen(axis)}`);
  save(`attention-${state.kind}-${part("layer")}-${part("head")}.svg`, "image/svg+xml",
       new XMLSerializer().serializeToString(svg));
}

function moveTab(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
}

function listen() {
  const numberOrMean = (text) => (text === "mean" ? null : Number(text));
  byId("sentence").addEventListener(
    "change", (event) => change({ sentence: Number(event.target.value), cell: null }));
  byId("layer").addEventListener(
    "change", (event) => change({ layer: numberOrMean(event.target.value) }));
  byId("head").addEventListener(
    "change", (event) => change({ head: numberOrMean(event.target.value) }));
  byId("scale").addEventListener("change", (event) => change({ scale: event.target.value }));
  byId("theme").addEventListener("click", () => change({ theme: isDark() ? "light" : "dark" }));
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.addEventListener("click", () => change({ kind: tab.dataset.kind, cell: null }));
    tab.addEventListener("keydown", moveTab);
  }
  const place = byId("map");
  place.addEventListener("pointermove", (event) => point(cellAt(event)));
  place.addEventListener("pointerleave", () => point(null));
  place.addEventListener("click", (event) => {
    const cell = cellAt(event);
    if (cell) keep(String(cell) === String(state.cell) ? null : cell);
  });
  place.addEventListener("keydown", moveByKey);
  place.addEventListener("focus", () => {
    if (!currentCell() && place.matches(":focus-visible")) keep([0, 0]);
  });
  place.addEventListener("scroll", keepLabelsInView);
  byId("numbers").addEventListener("toggle", () => byId("numbers").open && showTable());
  byId("save-svg").addEventListener("click", saveSvg);
  byId("save-json").addEventListener(
    "click", () => save("attention.json", "application/json", JSON.stringify(attention)));
  window.addEventListener("hashchange", () => { readHash(); show(); });
  darkPreferred.addEventListener("change", show);
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth !== width) showMap();
    width = place.clientWidth;
  }).observe(place);
}

byId("model").textContent = model && `model ${model}`;
document.title = ["Attention", model, "tfm"].filter((part) => part).join(" – ");
if (sentences.length === 0) {
  document.querySelector("main").replaceChildren("This page has no sentences.");
  byId("sentence-picker").hidden = true;
} else {
  const label = (sentence, i) => [i, `${i + 1}. ${sentence.source_text}`.slice(0, 90)];
  fillSelect(byId("sentence"), sentences.map(label), 0);
  readHash();
  show();
  listen();
}
document.documentElement.dataset.ready = "true";

// Displays the state (attention_state.js) in the document.

let shown = null;    // the drawn map and the result of drawMap
let pointed = null;  // the cell under the pointer

function fillSelect(select, options, value) {
  select.replaceChildren(...options.map(([key, text]) => new Option(text, key)));
  select.value = value;
}

function showControls() {
  document.documentElement.dataset.theme = state.theme;
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", `Switch to the ${isDark() ? "light" : "dark"} theme`);
  byId("sentence-picker").hidden = sentences.length < 2;
  byId("sentence").value = state.sentence;
  const sentence = sentences[state.sentence];
  byId("source-text").textContent = sentence.source_text;
  byId("target-text").textContent = sentence.target_text;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const selected = tab.dataset.kind === state.kind;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
    if (selected) byId("panel").setAttribute("aria-labelledby", tab.id);
  }
  for (const axis of ["layer", "head"]) {
    const each = Array.from({ length: counts()[axis] }, (_, i) => [i, i]);
    const mean = ["mean", `mean of all ${counts()[axis]}`];
    fillSelect(byId(axis), [mean, ...each], chosen(axis) ?? "mean");
  }
  byId("scale").value = state.scale;
}

function showMap() {
  const map = selectMap(chosen("layer"), chosen("head"));
  const palette = palettes[isDark() ? "dark" : "light"];
  const place = byId("map");
  shown = { map, ...drawMap(map, palette, scaleMaximum(map), place.clientWidth) };
  place.replaceChildren(shown.svg);
  shown.svg.setAttribute("aria-hidden", "true");  // screen readers use the readout and the table
  const choice = choiceName(chosen("layer"), chosen("head"));
  byId("map-title").textContent = `${kinds[state.kind].name}: ${choice}`;
  byId("map-hint").textContent = kinds[state.kind].hint;
  place.dataset.kind = state.kind;
  place.dataset.cells = shown.svg.querySelectorAll(".cell").length;
  keepLabelsInView();
  showCell();
  if (byId("numbers").open) showTable();
}

/** Keeps the row labels at the left edge while a wide map scrolls beneath them. */
function keepLabelsInView() {
  const { scrollLeft } = byId("map");
  const { background } = palettes[isDark() ? "dark" : "light"];
  shown.svg.querySelector(".row-labels").setAttribute("transform", `translate(${scrollLeft} 0)`);
  shown.svg.querySelector(".behind").setAttribute("fill", scrollLeft > 0 ? background : "none");
}

function currentCell() {
  const { map } = shown;
  const cell = pointed ?? state.cell;
  return cell && cell[0] < map.rows.length && cell[1] < map.columns.length ? cell : null;
}

function showCell() {
  const { map, plot, layout } = shown;
  plot.querySelectorAll(".mark").forEach((mark) => mark.remove());
  plot.querySelectorAll(".lit").forEach((label) => label.classList.remove("lit"));
  byId("readout").replaceChildren();
  byId("strip").replaceChildren();
  const current = currentCell();
  byId("map-help").hidden = current !== null;
  if (!current) return;
  byId("choice").className = "used";
  const [row, column] = current;
  const { cell } = layout;
  const visible = map.causal ? row + 1 : map.columns.length;
  const band = svgElement("rect", {
    class: "mark band", x: -1, y: row * cell - 1, width: cell * visible + 1, height: cell + 1,
  });
  const ring = svgElement("rect", {
    class: "mark ring", x: column * cell - 1, y: row * cell - 1, width: cell + 1, height: cell + 1,
  });
  plot.append(band, ring);
  plot.querySelector(".row-labels").querySelectorAll("text")[row].classList.add("lit");
  plot.querySelector(".column-labels").querySelectorAll("text")[column].classList.add("lit");
  showReadout(row, column);
  showStrip(row);
}

function textElement(name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

function showReadout(row, column) {
  const { map } = shown;
  const words = kinds[state.kind];
  const weight = isMasked(map, row, column) ? "masked" : map.weights[row][column].toFixed(3);
  byId("readout").append(
    words.row, textElement("bdi", "token row-token", map.rows[row]), ` (${row})${words.then}`,
    textElement("bdi", "token column-token", map.columns[column]), ` (${column}): `,
    textElement("strong", "weight", weight));
}

/** Shows the column tokens as a line of text, coloured by the weights of the row. */
function showStrip(row) {
  const { map } = shown;
  const palette = palettes[isDark() ? "dark" : "light"];
  const top = scaleMaximum(map);
  byId("strip").replaceChildren(...map.columns.flatMap((token, column) => {
    if (isMasked(map, row, column)) return [];
    const weight = map.weights[row][column];
    const item = textElement("li", "", "");
    item.style.background = rgb(rampColour(palette, weight / top));
    item.style.color = textColour(palette, weight / top);
    item.append(textElement("bdi", "", token), textElement("small", "", weight.toFixed(3)));
    return [item];
  }));
}

function showOverview() {
  const { layer: layers, head: heads } = counts();
  const palette = palettes[isDark() ? "dark" : "light"];
  const grid = document.createElement("div");
  grid.className = "thumbnails";
  grid.style.gridTemplateColumns =
    `auto repeat(${heads}, minmax(2.2rem, 6.5rem)) minmax(2.2rem, 6.5rem)`;
  byId("overview-counts").textContent = `${countName("layer")} (rows) and ${countName("head")} ` +
    "(columns)";
  const caption = (axis, index) =>
    textElement("span", "caption", index === null ? "mean" : `${axis} ${index}`);
  const columns = [...Array(heads).keys(), null];
  grid.append(textElement("span", "", ""), ...columns.map((head) => caption("head", head)));
  for (const layer of [...Array(layers).keys(), null]) {
    grid.append(caption("layer", layer));
    for (const head of columns) {
      const map = selectMap(layer, head);
      const isMean = layer === null || head === null;
      const button = textElement("button", isMean ? "thumbnail mean" : "thumbnail", "");
      button.type = "button";
      button.title = choiceName(layer, head);
      button.setAttribute("aria-label", choiceName(layer, head));
      button.dataset.layer = layer ?? "mean";
      button.dataset.head = head ?? "mean";
      button.append(drawThumbnail(map, palette, scaleMaximum(map)));
      button.addEventListener("click", () => change({ layer, head }));
      grid.append(button);
    }
  }
  byId("overview").replaceChildren(grid);
}

function markThumbnail() {
  for (const button of document.querySelectorAll(".thumbnail")) {
    const here = button.dataset.layer === String(chosen("layer") ?? "mean") &&
                 button.dataset.head === String(chosen("head") ?? "mean");
    button.setAttribute("aria-pressed", here);
  }
}

function showTable() {
  const { map } = shown;
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  const heading = (token, scope) => {
    const cell = textElement("th", "", "");
    cell.scope = scope;
    cell.append(textElement("bdi", "", token));
    return cell;
  };
  head.append(document.createElement("td"), ...map.columns.map((token) => heading(token, "col")));
  const body = table.createTBody();
  map.weights.forEach((weights, row) => {
    const line = body.insertRow();
    line.append(heading(map.rows[row], "row"));
    weights.forEach((weight, column) => {
      line.insertCell().textContent = isMasked(map, row, column) ? "" : weight.toFixed(3);
    });
  });
  byId("numbers").querySelector("table").replaceWith(table);
}

// The state for which the overview was drawn. Redrawing its maps at each click would be slow: there
// are 63 for 6 layers and 8 heads.
let drawnOverview = "";
function show() {
  showControls();
  showMap();
  const wanted = [state.sentence, state.kind, state.scale, isDark()].join();
  if (drawnOverview !== wanted) showOverview();
  drawnOverview = wanted;
  markThumbnail();
}

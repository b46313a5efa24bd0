// Draws attention maps: the large map with its legend as SVG, thumbnails as pixels.
// A map is {rows, columns, weights, causal}: the row tokens, the column tokens, the weights as an
// array of rows, and whether the cells right of the diagonal are masked.

// Lightness changes monotonically along each ramp, so the order of weights is visible to the
// colour-blind in both themes. The colour of weight 0 differs slightly from the background.
const palettes = {
  light: {
    ramp: [[243, 246, 251], [150, 193, 228], [42, 113, 184], [11, 41, 84]],
    ink: "#1b2430", faint: "#5b6675", background: "#ffffff",
  },
  dark: {
    ramp: [[31, 38, 49], [32, 80, 130], [84, 160, 222], [232, 245, 255]],
    ink: "#e6ebf2", faint: "#9aa7b8", background: "#171c24",
  },
};
const fontFamily = "system-ui, sans-serif";
const longestLabel = 18;

/** Returns the colour [r, g, b] for a share from 0 to 1. */
function rampColour({ ramp }, share) {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const low = Math.min(Math.floor(place), ramp.length - 2);
  const between = (channel, next) => Math.round(channel + (place - low) * (next - channel));
  return ramp[low].map((channel, i) => between(channel, ramp[low + 1][i]));
}

/** Returns the text colour, dark or white, that is legible on a colour of the ramp. */
function textColour(palette, share) {
  const [red, green, blue] = rampColour(palette, share);
  const brightness = 0.3 * red + 0.59 * green + 0.11 * blue;
  return brightness > 140 ? palettes.light.ink : palettes.light.background;
}

const rgb = (channels) => `rgb(${channels.join(",")})`;
const isMasked = (map, row, column) => map.causal && column > row;

/**
 * Returns the token as a label: without characters that XML forbids, and truncated between two
 * visible characters, so that an emoji of several code points stays complete.
 */
function shortenToken(text) {
  const token = text.replace(/[\u0000-\u001f\ufffe\uffff]/g, "\ufffd");
  const characters = window.Intl?.Segmenter
    ? Array.from(new Intl.Segmenter().segment(token), (part) => part.segment)
    : Array.from(token);
  if (characters.length <= longestLabel) return token;
  return characters.slice(0, longestLabel - 1).join("") + "…";
}

const measure = document.createElement("canvas").getContext("2d");
function widest(tokens, fontSize) {
  measure.font = `${fontSize}px ${fontFamily}`;
  return Math.max(0, ...tokens.map((token) => measure.measureText(shortenToken(token)).width));
}

/**
 * Returns the positions and sizes of the parts of a map, in pixels. Cells fill the available width,
 * within limits that keep them legible.
 */
function computeLayout(map, width) {
  const left = widest(map.rows, 12) + 12;
  const space = (width - left - 4) / map.columns.length;
  const slanted = space >= 26;
  const cell = Math.floor(Math.min(Math.max(space - (slanted ? 2 : 0), 11), 36));
  const fontSize = Math.min(12, cell / 1.2);  // neighbouring labels do not overlap
  const label = widest(map.columns, fontSize);
  const overhang = slanted ? Math.max(0, label * 0.71 - cell / 2) : 0;
  return {
    left, cell, fontSize, slanted,
    top: label * (slanted ? 0.71 : 1) + 14,
    width: Math.max(left + cell * map.columns.length + overhang + 4, 286),
    bottom: cell * map.rows.length,
  };
}

function drawCells(map, palette, { cell }, top) {
  const group = svgElement("g", {
    "font-size": 10, "text-anchor": "middle", "shape-rendering": cell < 16 ? "crispEdges" : "auto",
  });
  const side = cell < 16 ? cell : cell - 1, radius = cell < 16 ? 0 : 2;
  const parts = [];
  map.weights.forEach((weights, row) => weights.forEach((weight, column) => {
    if (isMasked(map, row, column)) return;
    const share = weight / top;
    const x = column * cell, y = row * cell;
    const fill = rgb(rampColour(palette, share));
    parts.push(`<rect class="cell" x="${x}" y="${y}" width="${side}" height="${side}" ` +
               `rx="${radius}" fill="${fill}"/>`);
    if (cell >= 28 && weight >= 0.005) {
      const number = weight.toFixed(2).replace(/^0/, "");
      parts.push(`<text x="${x + side / 2}" y="${y + side / 2 + 3.5}" ` +
                 `fill="${textColour(palette, share)}">${number}</text>`);
    }
  }));
  group.innerHTML = parts.join("");  // safe: contains numbers only, no tokens
  return group;
}

function drawLabels(map, { left, cell, fontSize, slanted }) {
  const rows = svgElement("g", {
    class: "row-labels", "text-anchor": "end", "font-size": fontSize,
  });
  rows.append(svgElement("rect", {
    class: "behind", x: -left, y: -2, width: left, height: cell * map.rows.length + 4, fill: "none",
  }));
  map.rows.forEach((token, row) => {
    const y = (row + 0.5) * cell + fontSize * 0.35;
    rows.append(svgElement("text", { x: -7, y }, shortenToken(token)));
  });
  const columns = svgElement("g", { class: "column-labels", "font-size": fontSize });
  map.columns.forEach((token, column) => {
    const x = (column + 0.5) * cell + (slanted ? 0 : fontSize * 0.35);
    const transform = `translate(${x} -7) rotate(${slanted ? -45 : -90})`;
    columns.append(svgElement("text", { transform }, shortenToken(token)));
  });
  return [columns, rows];
}

function drawLegend(palette, top) {
  const group = svgElement("g", { class: "legend", "font-size": 11, fill: palette.faint });
  const gradient = svgElement("linearGradient", { id: "ramp" });
  palette.ramp.forEach((stop, i) => {
    const offset = i / (palette.ramp.length - 1);
    gradient.append(svgElement("stop", { offset, "stop-color": rgb(stop) }));
  });
  group.append(gradient, svgElement("rect", {
    width: 160, height: 10, rx: 2, fill: "url(#ramp)", stroke: palette.faint, "stroke-width": 0.5,
  }));
  for (let i = 0; i <= 4; ++i) {
    const place = { x: 40 * i, y: 23, "text-anchor": i === 0 ? "start" : "middle" };
    group.append(svgElement("text", place, String(Number((top * i / 4).toFixed(3)))));
  }
  group.append(svgElement("text", { x: 184, y: 10 }, "attention weight"));
  return group;
}

/** Returns the map as an SVG element. `top` is the weight at the end of the ramp. */
function drawMap(map, palette, top, width) {
  const layout = computeLayout(map, width);
  const height = layout.top + layout.bottom + 48;
  const svg = svgElement("svg", {
    xmlns: "http://www.w3.org/2000/svg", width: Math.ceil(layout.width), height: Math.ceil(height),
    viewBox: `0 0 ${Math.ceil(layout.width)} ${Math.ceil(height)}`,
    "font-family": fontFamily, fill: palette.ink,
  });
  const plot = svgElement("g", {
    class: "plot", transform: `translate(${layout.left} ${layout.top})`,
  });
  const [columns, rows] = drawLabels(map, layout);
  plot.append(columns, drawCells(map, palette, layout, top), rows);
  const legend = drawLegend(palette, top);
  // The legend starts at the left edge of the cells, or further left if it would not fit otherwise.
  const legendLeft = Math.max(4, Math.min(layout.left, width - 282, layout.width - 282));
  legend.setAttribute("transform", `translate(${legendLeft} ${layout.top + layout.bottom + 16})`);
  svg.append(plot, legend);
  return { svg, plot, layout };
}

/** Returns the map as a canvas with one pixel per cell, which CSS enlarges. */
function drawThumbnail(map, palette, top) {
  const canvas = document.createElement("canvas");
  canvas.width = map.columns.length;
  canvas.height = map.rows.length;
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  map.weights.forEach((weights, row) => weights.forEach((weight, column) => {
    if (isMasked(map, row, column)) return;  // stays transparent
    image.data.set([...rampColour(palette, weight / top), 255], 4 * (row * canvas.width + column));
  }));
  context.putImageData(image, 0, 0);
  return canvas;
}

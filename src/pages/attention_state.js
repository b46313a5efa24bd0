// What the page shows: one state, kept in the URL's hash, and the maps that it chooses. Whatever
// changes the state calls change(). attention_view.js shows it, attention.js listens to the reader.

window.addEventListener("error", (event) => {
  document.documentElement.dataset.error = event.message;
  const failure = document.getElementById("failure");
  failure.hidden = false;
  failure.textContent = `This page failed: ${event.message}`;
});

const byId = (id) => document.getElementById(id);
const { sentences } = JSON.parse(byId("sentences").textContent);
const kinds = {
  cross: {
    name: "Cross-attention", rows: "target_output", columns: "source",
    row: "To write ", then: ", the decoder looks at ",
    hint: "A row is a token that the decoder writes, " +
          "a column a source token that it looks at to write it.",
  },
  encoder: {
    name: "Encoder self-attention", rows: "source", columns: "source", row: "", then: " looks at ",
    hint: "A row is a source token, a column a source token that it looks at.",
  },
  decoder: {
    name: "Decoder self-attention", rows: "target_input", columns: "target_input", causal: true,
    row: "After reading ", then: ", the decoder looks at ",
    hint: "A row is a target token that was just read, a column a token that it looks at: " +
          "itself or an earlier one. Later ones are masked (blank).",
  },
};
const darkPreferred = window.matchMedia("(prefers-color-scheme: dark)");
const firstShown = JSON.parse(byId("first-shown").textContent);
// layer and head: from 0, null for the mean. cell: [row, column] that the reader keeps, or null.
// theme: "" follows the system.
const state = { sentence: 0, kind: "cross", ...firstShown, scale: "full", theme: "", cell: null };

// ---- the state and the hash; all count from 0, as in the JSON and in --alignment-head ----

function readHash() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const index = (key, count, otherwise) => {
    if (hash.get(key) === "mean") return null;
    const value = Number(hash.get(key) ?? NaN);
    return Number.isInteger(value) && value >= 0 && value < count ? value : otherwise;
  };
  state.sentence = index("sentence", sentences.length, state.sentence) ?? 0;
  if (Object.hasOwn(kinds, hash.get("kind") ?? "")) state.kind = hash.get("kind");
  state.layer = index("layer", Infinity, state.layer);
  state.head = index("head", Infinity, state.head);
  if (["full", "fit"].includes(hash.get("scale"))) state.scale = hash.get("scale");
  if (["light", "dark"].includes(hash.get("theme"))) state.theme = hash.get("theme");
  const cell = (hash.get("cell") ?? "").split(",").map((part) => Number(part || NaN));
  const valid = cell.length === 2 && cell.every((part) => Number.isInteger(part) && part >= 0);
  state.cell = valid ? cell : null;
}

function writeHash() {
  const named = (index) => index ?? "mean";
  const parts = [`sentence=${state.sentence}`, `kind=${state.kind}`,
                 `layer=${named(chosen("layer"))}`, `head=${named(chosen("head"))}`];
  if (state.scale !== "full") parts.push(`scale=${state.scale}`);
  if (state.theme) parts.push(`theme=${state.theme}`);
  if (state.cell) parts.push(`cell=${state.cell[0]},${state.cell[1]}`);
  try {
    history.replaceState(null, "", `#${parts.join("&")}`);
  } catch { /* a sandboxed frame has no history: the page works, only links to a map don't */ }
}

function change(changes) {
  Object.assign(state, changes);
  show();
  writeHash();
}

// ---- maps ----

const weightsOf = (kind) => sentences[state.sentence][kind];
const counts = () => {
  const weights = weightsOf(state.kind);
  return { layer: weights.length, head: weights[0].length };
};

/** The chosen layer or head of the kind shown; the mean where this kind has fewer. */
const chosen = (axis) =>
  state[axis] !== null && state[axis] < counts()[axis] ? state[axis] : null;

function meanOf(matrices) {
  const mean = (i, j) => matrices.reduce((sum, matrix) => sum + matrix[i][j], 0) / matrices.length;
  return matrices[0].map((row, i) => row.map((_, j) => mean(i, j)));
}

function mapOf(layer, head) {
  const { rows, columns, causal = false } = kinds[state.kind];
  const sentence = sentences[state.sentence];
  const layers = layer === null ? weightsOf(state.kind) : [weightsOf(state.kind)[layer]];
  const matrices = layers.flatMap((heads) => (head === null ? heads : [heads[head]]));
  const weights = matrices.length === 1 ? matrices[0] : meanOf(matrices);
  return { rows: sentence[rows], columns: sentence[columns], causal, weights };
}

const topOf = (map) =>
  state.scale === "full" ? 1 : Math.max(0.001, ...map.weights.map((row) => Math.max(...row)));

function partName(axis, index) {
  const count = counts()[axis];
  return index === null ? `mean of ${count} ${axis}${count === 1 ? "" : "s"}` : `${axis} ${index}`;
}
const choiceName = (layer, head) => `${partName("layer", layer)}, ${partName("head", head)}`;
const isDark = () => (state.theme ? state.theme === "dark" : darkPreferred.matches);

// The state of the page, which is stored in the hash of the URL, and the maps that it selects. On
// the page of a service, the hash may also have the request (attention_request.js).
// Controls change the state by calling change(). Only keep(), which sets the selected cell, and
// readHash() write to it directly. attention_view.js displays the state, and attention.js handles
// events.

const attention = JSON.parse(byId("sentences").textContent);
const { sentences } = attention;
const kinds = {
  cross: {
    name: "Cross-attention", rows: "target_output", columns: "source",
    row: "To predict ", then: ", the decoder attends to ",
    hint: "A row is a token that the decoder predicts, " +
          "a column is a source token that it attends to.",
  },
  encoder: {
    name: "Encoder self-attention", rows: "source", columns: "source", row: "",
    then: " attends to ",
    hint: "A row is a source token, a column is a source token that it attends to.",
  },
  decoder: {
    name: "Decoder self-attention", rows: "target_input", columns: "target_input", causal: true,
    row: "After reading ", then: ", the decoder attends to ",
    hint: "A row is a target token that was just read, a column is a token that it attends to: " +
          "itself or an earlier token. Later tokens are masked (blank).",
  },
};
// The page contains thousandths, in rows without their last zeros. Here they become weights as in
// the format "tfm attention".
for (const sentence of sentences) {
  for (const kind of Object.keys(kinds)) {
    const zeros = Array(sentence[kinds[kind].columns].length).fill(0);
    const decode = (row) => zeros.map((zero, column) => (row[column] ?? zero) / 1000);
    sentence[kind] = sentence[kind].map((heads) => heads.map((rows) => rows.map(decode)));
  }
}
const { model, ...firstShown } = JSON.parse(byId("view").textContent);
// layer and head are counted from 0; null selects the mean. cell is the selected [row, column], or
// null. If theme is "", the page uses the theme of the system.
const state = { sentence: 0, kind: "cross", ...firstShown, scale: "full", theme: "", cell: null };

// ---- state and hash (indices are counted from 0, as in the JSON and in --alignment-head) ----

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
  const others = [...new URLSearchParams(location.hash.slice(1))]
    .filter(([key]) => !Object.hasOwn(state, key));
  if (others.length > 0) parts.push(new URLSearchParams(others));
  try {
    history.replaceState(null, "", `#${parts.join("&")}`);
  } catch { /* A sandboxed frame has no history; only links to maps do not work there. */ }
}

function change(changes) {
  Object.assign(state, changes);
  show();
  writeHash();
}

// ---- maps ----

const kindWeights = (kind) => sentences[state.sentence][kind];
const counts = () => {
  const weights = kindWeights(state.kind);
  return { layer: weights.length, head: weights[0].length };
};

/** Returns the selected layer or head, or null (the mean) if the shown kind does not have it. */
const chosen = (axis) =>
  state[axis] !== null && state[axis] < counts()[axis] ? state[axis] : null;

function meanMatrix(matrices) {
  const mean = (i, j) => matrices.reduce((sum, matrix) => sum + matrix[i][j], 0) / matrices.length;
  return matrices[0].map((row, i) => row.map((_, j) => mean(i, j)));
}

/** Replaces SentencePiece's word-start symbol, which would look like a tick of the axis. */
const labelToken = (token) => token.replaceAll("▁", "·");

function selectMap(layer, head) {
  const { rows, columns, causal = false } = kinds[state.kind];
  const sentence = sentences[state.sentence];
  const layers = layer === null ? kindWeights(state.kind) : [kindWeights(state.kind)[layer]];
  const matrices = layers.flatMap((heads) => (head === null ? heads : [heads[head]]));
  const weights = matrices.length === 1 ? matrices[0] : meanMatrix(matrices);
  return {
    rows: sentence[rows].map(labelToken), columns: sentence[columns].map(labelToken), causal,
    weights,
  };
}

const scaleMaximum = (map) =>
  state.scale === "full" ? 1 : Math.max(0.001, ...map.weights.map((row) => Math.max(...row)));

const countName = (axis) => `${counts()[axis]} ${axis}${counts()[axis] === 1 ? "" : "s"}`;
const partName = (axis, index) =>
  (index === null ? `mean of ${countName(axis)}` : `${axis} ${index}`);
const choiceName = (layer, head) => `${partName("layer", layer)}, ${partName("head", head)}`;
const isDark = () => (state.theme ? state.theme === "dark" : darkPreferred.matches);


// Shows the words of a translation: which source word each of them translates, and how probable the
// model found it. The words of the source are marked on a copy of the text behind the text itself.

const unsureBelow = 0.4;  // the probability below which a word is marked as unsure

let shownWords = [];       // flatWords of the shown candidate, or none
let translationWords = []; // the elements of shownWords
let textWords = [];        // the elements of the words of the text
let lit = { name: "", elements: [] };  // what is highlighted: its name (highlight) and its elements

function percent(probability) {
  return probability < 0.005 ? "under 1%" : `${Math.round(100 * probability)}%`;
}

/**
 * Returns [begin, end] in a text of each line that is not empty in the text that was sent. Both
 * texts have the same line breaks.
 */
function findLines(sent, whole) {
  const isSent = sent.split("\n").map((line) => line !== "");
  let next = 0;
  const ranges = whole.split("\n").map((line) => {
    const begin = next;
    next += line.length + 1;
    return [begin, next - 1];
  });
  return ranges.filter((_, i) => isSent[i]);
}

/** Returns [begin, end] in a text of each word of one of its lines; null if a word is missing. */
function findWords(words, whole, [from, end]) {
  const line = whole.slice(0, end);
  const places = [];
  for (const word of words) {
    const begin = line.indexOf(word, from);
    if (begin < 0) return null;
    from = begin + word.length;
    places.push([begin, from]);
  }
  return places;
}

/** Returns findWords for the words of all lines that were sent; null if a word is missing. */
function findPlaces(wordsByLine, sent, whole) {
  const ranges = findLines(sent, whole);
  if (ranges.length !== wordsByLine.length) return null;
  const places = wordsByLine.map((words, line) => findWords(words, whole, ranges[line]));
  return places.includes(null) ? null : places.flat();
}

/** Returns the text as nodes: an element from `make(i)` for each of the places, text between. */
function splitAt(places, whole, make) {
  const nodes = [];
  let from = 0;
  places.forEach(([begin, end], i) => {
    const word = make(i);
    word.textContent = whole.slice(begin, end);
    nodes.push(whole.slice(from, begin), word);
    from = end;
  });
  return [...nodes, whole.slice(from)].filter((node) => node !== "");
}

/**
 * Returns all words of a candidate's lines in the order of the text, as {line, index, text,
 * probability, source}, where source is the index among all source words, or null.
 */
function flatWords(lines) {
  let first = 0;  // the index of the line's first source word
  return lines.flatMap(({ source: words, target: translated }, line) => {
    const begin = first;
    first += words.length;
    return translated.map((word, index) => ({
      ...word, line, index, source: word.source === null ? null : begin + word.source,
    }));
  });
}

function makeWord({ probability }, sourceWord) {
  const unsure = probability < unsureBelow;
  const from = sourceWord === undefined ? "" : `, for “${sourceWord}”`;
  return element("span", {
    class: unsure ? "word unsure" : "word", role: "button", tabindex: "-1",
    "aria-haspopup": "menu", "aria-expanded": "false",
    title: `${unsure ? "unsure: " : ""}${percent(probability)}${from}`,
  });
}

/** Shows a candidate's text with its words, or as plain text if the words are not known. */
function showWords(candidate) {
  const { text: whole, sent, lines } = candidate;
  const sourceWords = lines.flatMap((line) => line.source);
  const words = flatWords(lines);
  const places = findPlaces(lines.map((line) => line.target.map((word) => word.text)), sent, whole);
  const sourcePlaces = findPlaces(lines.map((line) => line.source), sent, sent);
  const isKnown = words.length > 0 && places && sourcePlaces;
  shownWords = isKnown ? words : [];
  translationWords = shownWords.map((word) => makeWord(word, sourceWords[word.source]));
  textWords = (isKnown ? sourceWords : []).map((_, index) =>
    element("span", { class: "word", "data-index": index }));
  lit = { name: "", elements: [] };
  translation.replaceChildren(...(isKnown
    ? splitAt(places, whole, (i) => translationWords[i]) : [whole]));
  byId("text-words").replaceChildren(...(isKnown
    ? splitAt(sourcePlaces, sent, (i) => textWords[i]) : []));
  followText();
  translationWords[0]?.setAttribute("tabindex", "0");
  translation.tabIndex = isKnown ? -1 : 0;
  byId("words-hint").hidden = !isKnown;
}

/** Highlights the elements that `find` returns, unless those of this name are highlighted. */
function highlight(name, find) {
  if (name === lit.name) return;
  lit.elements.forEach((word) => word.classList.remove("lit"));
  lit = { name, elements: find().filter(Boolean) };
  lit.elements.forEach((word) => word.classList.add("lit"));
}

/** Highlights the word whose menu is open, or nothing. */
function highlightRest() {
  const open = choiceWord ? translationWords.indexOf(choiceWord) : -1;
  if (open >= 0) highlightTarget(open); else highlight("", () => []);
}

/** Highlights a word of the translation with the source word that it translates. */
const highlightTarget = (index) => highlight(`translation ${index}`, () =>
  [translationWords[index], textWords[shownWords[index].source]]);

/** Highlights a word of the source with its translations. */
const highlightSource = (index) => highlight(`text ${index}`, () =>
  [textWords[index], ...translationWords.filter((_, i) => shownWords[i].source === index)]);

/** Highlights the word of the source at a place in the text, if there is one. */
function highlightPlace(place) {
  let from = 0, found = -1, i = 0;
  for (const node of byId("text-words").childNodes) {
    const isWord = node.nodeType === Node.ELEMENT_NODE;
    if (isWord && place >= from && place <= from + node.textContent.length) found = i;
    from += node.textContent.length;
    i += isWord ? 1 : 0;
  }
  if (found < 0) highlightRest(); else highlightSource(found);
}

/** Highlights the source word under the pointer, which is behind the text. */
function pointAtText(event) {
  const under = document.elementsFromPoint(event.clientX, event.clientY)
    .find((one) => one.matches("#text-words .word"));
  if (under) highlightSource(Number(under.dataset.index)); else highlightRest();
}

/** Focuses a word of the translation. All of them together are one stop of the Tab key. */
function moveFocus(word) {
  translationWords.forEach((other) => { other.tabIndex = other === word ? 0 : -1; });
  word.focus();
}

function moveByWord(event) {
  const words = translationWords;
  const at = words.indexOf(event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: words.length - 1 }[event.key];
  if (at < 0 || !words[to]) return;
  event.preventDefault();
  moveFocus(words[to]);
}

/** Keeps the copy of the text exactly behind it. */
function followText() {
  byId("text-words").style.height = `${text.offsetHeight}px`;
  byId("text-words").scrollTop = text.scrollTop;
}

function listenToWords() {
  const onWord = (action) => (event) => {
    const index = translationWords.indexOf(event.target);
    if (index >= 0) action(index);
  };
  translation.addEventListener("pointerover", onWord(highlightTarget));
  translation.addEventListener("pointerout", highlightRest);
  translation.addEventListener("focusin", onWord(highlightTarget));
  translation.addEventListener("focusout", highlightRest);
  translation.addEventListener("keydown", moveByWord);
  text.addEventListener("pointermove", pointAtText);
  text.addEventListener("pointerleave", highlightRest);
  text.addEventListener("blur", highlightRest);
  text.addEventListener("scroll", followText);
  new ResizeObserver(followText).observe(text);
  document.addEventListener("selectionchange", () => {
    if (document.activeElement === text) highlightPlace(text.selectionStart);
  });
}


// Shows the words of a translation: which source word each of them translates, and how probable the
// model found it. The words of the source are marked on a copy of the text behind the text itself.

const unsureBelow = 0.4;  // the probability below which a word is marked as unsure

let shownWords = [];  // flatWords of the shown candidate, or none

function percent(probability) {
  return probability < 0.005 ? "under 1%" : `${Math.round(100 * probability)}%`;
}

/** Returns [begin, end] of each word in the text from `from` on; null if a word is missing. */
function placesOf(words, whole, from) {
  const places = [];
  for (const word of words) {
    const begin = whole.indexOf(word, from);
    if (begin < 0) return null;
    from = begin + word.length;
    places.push([begin, from]);
  }
  return places;
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

const wordsOf = (node) => [...node.querySelectorAll(".word")];

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
  const sourceWords = candidate.lines.flatMap((line) => line.source);
  const words = flatWords(candidate.lines);
  const places = placesOf(words.map((word) => word.text), candidate.text, 0);
  const sourcePlaces = placesOf(sourceWords, candidate.sent, 0);
  const isKnown = words.length > 0 && places && sourcePlaces;
  translation.replaceChildren(...(isKnown
    ? splitAt(places, candidate.text, (i) => makeWord(words[i], sourceWords[words[i].source]))
    : [candidate.text]));
  byId("text-words").replaceChildren(...(isKnown
    ? splitAt(sourcePlaces, candidate.sent, () => element("span", { class: "word" })) : []));
  followText();
  shownWords = isKnown ? words : [];
  wordsOf(translation)[0]?.setAttribute("tabindex", "0");
  translation.tabIndex = isKnown ? -1 : 0;
  byId("words-hint").hidden = !isKnown;
}

/** Highlights the words of both texts whose index the tests accept. */
function highlight(isTarget, isSource) {
  wordsOf(translation).forEach((word, i) => word.classList.toggle("lit", isTarget(i)));
  wordsOf(byId("text-words")).forEach((word, i) => word.classList.toggle("lit", isSource(i)));
}

/** Highlights the word whose menu is open, or nothing. */
function highlightRest() {
  const open = wordsOf(translation).indexOf(choiceWord);
  if (open >= 0) highlightTarget(open); else highlight(() => false, () => false);
}

/** Highlights a word of the translation with the source word that it translates. */
const highlightTarget = (index) => highlight((i) => i === index,
                                             (i) => i === shownWords[index].source);

/** Highlights a word of the source with its translations. */
const highlightSource = (index) => highlight((i) => shownWords[i].source === index,
                                             (i) => i === index);

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
  if (under) highlightSource(wordsOf(byId("text-words")).indexOf(under)); else highlightRest();
}

/** Focuses a word of the translation. All of them together are one stop of the Tab key. */
function moveFocus(word) {
  wordsOf(translation).forEach((other) => { other.tabIndex = other === word ? 0 : -1; });
  word.focus();
}

function moveByWord(event) {
  const words = wordsOf(translation);
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
    const index = wordsOf(translation).indexOf(event.target);
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

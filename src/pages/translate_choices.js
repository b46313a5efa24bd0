
// Offers other words at a place of the translation: a menu of translations that are the same up to
// that word. The one that is chosen replaces the translation, and the former one becomes an
// alternative.

const mostChoices = 6;
const leastProbability = 0.001;  // of a word that is worth offering

let choiceRequest = null;  // the AbortController of the menu's request in flight, or null
let choiceWord = null;     // the word of the translation whose menu is open, or null

const choices = byId("choices");

/** Closes the menu, and gives the focus back to its word unless it has moved elsewhere. */
function closeChoices() {
  const hadFocus = choices.contains(document.activeElement);
  choiceRequest?.abort();
  choiceRequest = null;
  choices.hidden = true;
  choices.replaceChildren();
  const word = choiceWord;
  choiceWord = null;
  word?.setAttribute("aria-expanded", "false");
  if (hadFocus) word?.focus();
  highlightRest();
}

/** Puts the menu below its word, within the width of the translation. */
function placeChoices() {
  const around = choices.parentElement.getBoundingClientRect();
  const word = choiceWord.getBoundingClientRect();
  const most = around.width - choices.offsetWidth;
  choices.style.top = `${word.bottom - around.top + 4}px`;
  choices.style.left = `${Math.max(0, Math.min(word.left - around.left, most))}px`;
}

/** Shows a note instead of choices. */
function showChoiceNote(note) {
  choices.replaceChildren(element("p", { class: "hint", role: "status" }, note));
  placeChoices();
}

/** Returns what to send for other words in place of a word of shownWords. */
function choiceFields({ line, index }) {
  const { sent, lines } = result.candidates[result.shown];
  return {
    q: sent.slice(...findLines(sent, sent)[line]), source: result.source, target: result.target,
    count: mostChoices,
    prefix: lines[line].target.slice(0, index).map((word) => word.text).join(" "),
  };
}

/** Returns the shown candidate with another translation of one of its lines. */
function withLine(shown, line, continuation) {
  const words = shown.lines[line].target.map((word) => word.text);
  const places = findWords(words, shown.text, findLines(shown.sent, shown.text)[line]);
  const [begin, end] = [places[0][0], places.at(-1)[1]];
  const lines = shown.lines.with(line, { ...shown.lines[line], target: continuation.words });
  return { ...shown, lines,
           text: shown.text.slice(0, begin) + continuation.text + shown.text.slice(end) };
}

/** Makes a candidate the shown translation. */
function choose(candidate, number) {
  const known = result.candidates.findIndex((other) => other.text === candidate.text);
  result.shown = known >= 0 ? known : result.candidates.push(candidate) - 1;
  closeChoices();
  showResult();
  const word = translationWords[number];
  if (word) moveFocus(word); else translation.focus();
}

/** Returns a menu item: the next word, its probability, and the text after it. */
function choiceItem(continuation, { index }, isShown) {
  const [word, ...rest] = continuation.words.slice(index);
  const attributes = { type: "button", role: "menuitemradio", tabindex: "-1",
                       "aria-checked": String(isShown), lang: result.target, dir: "auto" };
  return element("button", attributes, element("strong", {}, word.text), " ",
                 element("small", {}, percent(word.probability)), " ",
                 element("span", { class: "rest" }, rest.map((one) => one.text).join(" ")));
}

function showChoices(continuations, number) {
  const word = shownWords[number];
  const shown = result.candidates[result.shown];
  const usable = continuations.filter(({ words }) =>
    words.length > word.index && words[word.index].probability >= leastProbability);
  if (usable.length === 0) return showChoiceNote("The model has no other words for this place.");
  choices.replaceChildren(...usable.map((continuation) => {
    const candidate = withLine(shown, word.line, continuation);
    const item = choiceItem(continuation, word, candidate.text === shown.text);
    item.addEventListener("click", () => choose(candidate, number));
    return item;
  }));
  placeChoices();
  choices.firstElementChild.focus();
}

/** Opens the menu of a word of the translation. */
async function openChoices(number) {
  closeChoices();
  const word = shownWords[number];
  choiceWord = translationWords[number];
  choiceWord.setAttribute("aria-expanded", "true");
  highlightRest();
  choices.hidden = false;
  if (result.candidates[result.shown].lines[word.line].segments > 1)
    return showChoiceNote("This line is translated in several parts. Write each sentence on a " +
                          "line of its own to choose other words.");
  showChoiceNote("Looking for other words …");
  const own = choiceRequest = new AbortController();
  try {
    const { continuations } = await ask("continuations", post(choiceFields(word), own.signal));
    if (own === choiceRequest) showChoices(continuations, number);
  } catch (error) {
    const isKnown = error instanceof ServiceError;
    if (!isKnown && error.name !== "AbortError") throw error;
    if (own === choiceRequest) showChoiceNote(error.message);
  } finally {
    if (own === choiceRequest) choiceRequest = null;
  }
}

/** Moves the focus within the menu, or closes it. */
function moveInChoices(event) {
  const items = [...choices.querySelectorAll("button")];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

function listenToChoices() {
  const open = (event) => {
    const number = translationWords.indexOf(event.target);
    if (number >= 0 && getSelection().isCollapsed) openChoices(number);
  };
  translation.addEventListener("click", open);
  translation.addEventListener("keydown", (event) => {
    if (![" ", "Enter", "ArrowDown"].includes(event.key)) return;
    if (event.target.matches(".word")) event.preventDefault();
    open(event);
  });
  choices.addEventListener("keydown", moveInChoices);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !choices.hidden) closeChoices();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!choices.hidden && !choices.contains(event.target)) closeChoices();
  });
}

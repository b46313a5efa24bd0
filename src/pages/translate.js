
// Translates as one types. A text is sent when the typing pauses; a request whose text or languages
// have changed meanwhile is cancelled. Its reply, if any, is not shown.

const typingPause = 250;  // milliseconds without a change until the text is sent
const detected = "auto";  // the source language of a text whose language is to be detected
const mostAlternatives = 5;

const text = byId("text");
const translation = byId("translation");
const source = byId("source");
const target = byId("target");

let languages = [];                  // {code, name, targets} of GET languages
let settings = { charLimit: 0, keyRequired: false };
let result = null;                   // {candidates, shown, source, target, pivot} of the text, or
                                     // null; a candidate is {text, sent, lines} (readCandidates)
let request = null;                  // the AbortController of the request in flight, or null
let timer = 0;                       // of the next request

// ---- languages ----

const languageName = (code) => languages.find((language) => language.code === code)?.name ?? code;

const sources = () => languages.filter((language) => language.targets.length > 0);

function listTargets(code) {
  if (code === detected) return [...new Set(sources().flatMap((language) => language.targets))];
  return languages.find((language) => language.code === code)?.targets ?? [];
}

/** Fills a list of languages, and selects the first of the wanted ones that it has. */
function fill(list, codes, ...wanted) {
  list.replaceChildren(...codes.map((code) => {
    const label = code === detected ? "Detect the language" : languageName(code);
    return element("option", { value: code }, label);
  }));
  list.value = wanted.find((code) => codes.includes(code)) ?? codes[0];
}

/** Returns the source language: the selected one, or the one that the service has detected. */
const sourceLanguage = () => (source.value === detected ? result?.source : source.value);

const canSwap = () => listTargets(target.value).includes(sourceLanguage());

function languagesChanged() {
  fill(target, listTargets(source.value), target.value);
  text.lang = source.value === detected ? "" : source.value;
  const address = new URLSearchParams({ source: source.value, target: target.value });
  history.replaceState(null, "", `?${address}${location.hash}`);
  byId("swap").disabled = !canSwap();
  translateNow();
}

function swap() {
  if (!canSwap()) return;
  const [from, to] = [target.value, sourceLanguage()];
  if (result) text.value = result.candidates[result.shown].text;
  source.value = from;
  fill(target, listTargets(from), to);
  languagesChanged();
}

// ---- translation ----

function showProblem(message) {
  byId("problem").hidden = message === "";
  byId("problem").textContent = message;
}

function showDetails(parts) { byId("details").textContent = parts.filter(Boolean).join(" · "); }

function showResult() {
  const shown = result ? result.candidates[result.shown] : { text: "", sent: "", lines: [] };
  closeChoices();
  showWords(shown);
  offerSuggestion();
  byId("attention").hidden = !attentionAddress();
  byId("attention").href = attentionAddress();
  translation.lang = result?.target ?? "";
  byId("copy").disabled = byId("save").disabled = shown.text === "";
  byId("swap").disabled = !canSwap();
  const others = (result?.candidates ?? []).map((candidate, index) => ({ candidate, index }))
    .filter(({ index }) => index !== result.shown);
  byId("others").replaceChildren(...others.map(({ candidate, index }) => {
    const attributes = { type: "button", lang: result.target, dir: "auto" };
    const button = element("button", attributes, candidate.text);
    button.addEventListener("click", () => {
      result.shown = index;
      showResult();
      translation.focus();
    });
    return element("li", {}, button);
  }));
  byId("others-card").hidden = others.length === 0;
}

function showCount() {
  const count = [...text.value].length;
  const limit = settings.charLimit;
  const [shown, most] = [count, limit].map((number) => number.toLocaleString("en"));
  byId("count").textContent = `${shown} of ${most} characters`;
  byId("clear").disabled = count === 0;
}

/** Returns why the text cannot be sent, or an empty text. */
function findProblem() {
  if ([...text.value].length > settings.charLimit)
    return "The text is longer than the service accepts.";
  if (settings.keyRequired && byId("key").value === "") return "The service needs a key.";
  return "";
}

/** Returns the fields of a request to translate the text. */
function translationFields() {
  const isHtml = byId("html").checked;
  return { q: text.value, source: source.value, target: target.value,
           format: isHtml ? "html" : "text", alternatives: mostAlternatives, words: !isHtml };
}

/**
 * Returns the different translations in a reply as {text, sent, lines}: the translation, the text
 * that was sent, and {source, target, segments} for each of its lines if their words are known.
 */
function readCandidates(reply, sent) {
  const texts = [reply.translatedText, ...(reply.alternatives ?? [])];
  const lines = reply.words ?? [];
  const all = texts.map((one, i) => ({
    text: one, sent,
    lines: lines.map(({ source: words, translations, segments }) =>
      ({ source: words, target: translations[i] ?? [], segments })),
  }));
  return all.filter((candidate, i) => texts.indexOf(candidate.text) === i);
}

/** Shows the reply to a request that began at a time (performance.now) and sent the fields. */
function showReply(reply, begin, sent) {
  const { language, confidence } = reply.detectedLanguage ?? {};
  result = { candidates: readCandidates(reply, sent.q), shown: 0, source: language ?? sent.source,
             target: sent.target, pivot: reply.pivot };
  const certainty = confidence > 0 ? `${Math.round(confidence)}%` : "not certain";
  showDetails([language && `${languageName(language)} (${certainty})`,
               reply.pivot && `through ${languageName(reply.pivot)}`,
               `${((performance.now() - begin) / 1000).toFixed(2)} s`]);
  showResult();
}

function showNothing() {
  result = null;
  showResult();
  showDetails([]);
}

function showError(error) {
  showNothing();
  const seconds = error.retrySeconds;
  const next = seconds > 0 ? `. The page tries again in ${seconds} s.` : "";
  showProblem(error.message + next);
  if (seconds > 0) timer = setTimeout(translateNow, 1000 * seconds);
}

async function send() {
  const own = request = new AbortController();
  const begin = performance.now();
  const sent = translationFields();
  translation.setAttribute("aria-busy", "true");
  try {
    const reply = await ask("translate", post(sent, own.signal));
    if (own === request) showReply(reply, begin, sent);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      if (error.name !== "AbortError") throw error;
    } else if (own === request) {
      showError(error);
    }
  } finally {
    if (own === request) {
      request = null;
      translation.removeAttribute("aria-busy");
    }
  }
}

/** Cancels the request in flight, and sends the text if it can be translated. */
function translateNow() {
  clearTimeout(timer);
  request?.abort();
  request = null;
  showCount();
  const hasText = text.value.trim() !== "";
  const problem = hasText ? findProblem() : "";
  showProblem(problem);
  if (hasText && problem === "") {
    send();
  } else {
    translation.removeAttribute("aria-busy");
    showNothing();
  }
}

function translateAfterPause() {
  clearTimeout(timer);
  byId("text-words").replaceChildren();  // they are no longer those of the text
  closeChoices();
  showCount();
  timer = setTimeout(translateNow, typingPause);
}

// ---- what can be done with a translation ----

/**
 * Returns the address of the attention of the translation, or an empty text if it has none. The
 * texts are in the hash, which is not sent to the service, and therefore is not limited in length.
 */
function attentionAddress() {
  const { sent, text: translated, lines } = result?.candidates[result.shown] ?? { lines: [] };
  const isOneLine = lines.length === 1 && lines[0].segments === 1;
  if (!isOneLine || result.pivot) return "";
  const hash = new URLSearchParams({ source: result.source, target: result.target, q: sent.trim(),
                                     translation: translated.trim() });
  new URLSearchParams(location.hash.slice(1)).forEach((value, key) => hash.set(key, value));
  return `attention.html#${hash}`;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(translation.textContent);
  } catch {  // browsers have a clipboard only for https and for their own machine
    getSelection().selectAllChildren(translation);
    document.execCommand("copy");
  }
  byId("copy").textContent = "Copied";
  setTimeout(() => { byId("copy").textContent = "Copy"; }, 1500);
}

// ---- start ----

function listen() {
  text.addEventListener("input", translateAfterPause);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) translateNow();
  });
  source.addEventListener("change", languagesChanged);
  target.addEventListener("change", languagesChanged);
  byId("html").addEventListener("change", translateNow);
  byId("swap").addEventListener("click", swap);
  byId("copy").addEventListener("click", copy);
  byId("save").addEventListener("click", () => {
    save(`translation.${result.target}.txt`, "text/plain", translation.textContent);
  });
  byId("clear").addEventListener("click", () => {
    text.value = "";
    translateNow();
    text.focus();
  });
  byId("key").addEventListener("input", () => {
    sessionStorage.setItem("key", byId("key").value);
    translateAfterPause();
  });
}

async function start() {
  try {
    [languages, settings] = await Promise.all([ask("languages"), ask("frontend/settings")]);
  } catch (error) {
    showProblem(`${error.message}. Load the page again later.`);
    return;
  }
  // An address such as ?source=de&target=en&q=Haus chooses languages and a text.
  const wanted = new URLSearchParams(location.search);
  const { source: first, target: firstTarget } = settings.language;
  const codes = sources().map((language) => language.code);
  fill(source, codes.length > 1 ? [detected, ...codes] : codes, wanted.get("source"), first.code);
  fill(target, listTargets(source.value), wanted.get("target"), firstTarget.code);
  byId("key-field").hidden = !settings.keyRequired;
  byId("key").value = sessionStorage.getItem("key") ?? "";
  text.value = wanted.get("q") ?? text.value;
  listen();
  listenToWords();
  listenToChoices();
  listenToFiles();
  listenToSuggestions();
  languagesChanged();
  text.focus();
  document.documentElement.dataset.ready = "true";
}

start();

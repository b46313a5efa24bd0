
// Translates a document: a file that is chosen or dropped is sent to the service, which answers
// with the address of the translated file.

let fileRequest = null;  // the AbortController of the file in flight, or null

const megabytes = (bytes) => `${(bytes / 2 ** 20).toLocaleString("en", {
  maximumFractionDigits: bytes < 2 ** 20 ? 3 : 1 })} MiB`;

/** Returns the ending of a file name in lower case, with its dot, or an empty text. */
const fileEnding = (name) => /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? "";

/** Returns why the file cannot be sent, or an empty text. */
function findFileProblem(file) {
  if (!settings.supportedFilesFormat.includes(fileEnding(file.name)))
    return `${file.name} has no format that the service knows.`;
  if (file.size > settings.bodyLimit)
    return `${file.name} is too large: it has ${megabytes(file.size)}, and the service accepts ` +
           `${megabytes(settings.bodyLimit)}.`;
  if (settings.keyRequired && byId("key").value === "") return "The service needs a key.";
  return "";
}

/** Shows the state of the document; what is not given is hidden. */
function showFile({ progress = "", problem = "", link = null }) {
  byId("file-running").hidden = progress === "";
  byId("file-state").textContent = progress;
  byId("file-problem").hidden = problem === "";
  byId("file-problem").textContent = problem;
  byId("file-done").replaceChildren(...(link ? [link] : []));
}

/** Returns a link to the translated file. The service may have another address for a proxy. */
function downloadLink(file, language, address) {
  const name = new URL(address, location.href).pathname.split("/").pop();
  return element("a", { href: `download_file/${name}`, download: "" },
                 `Download the translation of ${file.name} (${languageName(language)})`);
}

function fileForm(file) {
  const form = new FormData();
  form.append("source", source.value);
  form.append("target", target.value);
  if (byId("key").value) form.append("api_key", byId("key").value);
  form.append("file", file);
  return form;
}

async function translateFile(file) {
  fileRequest?.abort();
  fileRequest = null;
  const problem = findFileProblem(file);
  if (problem) return showFile({ problem });
  const own = fileRequest = new AbortController();
  const language = target.value;  // another one may be chosen before the reply
  showFile({ progress: `Translating ${file.name} …` });
  try {
    const reply = await ask("translate_file",
                            { method: "POST", body: fileForm(file), signal: own.signal });
    if (own !== fileRequest) return;  // another file has been chosen
    showFile({ link: downloadLink(file, language, reply.translatedFileUrl) });
  } catch (error) {
    if (own !== fileRequest) return;
    const isKnown = error instanceof ServiceError;
    if (!isKnown && error.name !== "AbortError") throw error;
    showFile({ problem: isKnown ? `${file.name}: ${error.message}` : "" });
  } finally {
    if (own === fileRequest) fileRequest = null;
  }
}

/**
 * Takes what is dropped: plain text into the text to translate, other files as documents. The
 * browser puts text that is dropped into another field there.
 */
async function takeDrop(event) {
  document.body.classList.remove("dropping");
  const file = event.dataTransfer.files[0];
  const isForText = text.contains(event.target);
  if (!file && !isForText) return;
  event.preventDefault();
  if (file && !(isForText && file.type === "text/plain")) return translateFile(file);
  text.value = file ? await file.text() : event.dataTransfer.getData("text");
  translateNow();
}

function listenToFiles() {
  const { supportedFilesFormat: endings, bodyLimit } = settings;
  byId("file-card").hidden = !settings.filesTranslation;
  byId("file").accept = endings.join(",");
  byId("file-hint").textContent = `Choose a file, or drop it on this page. Formats: ` +
    `${endings.map((ending) => ending.slice(1)).join(", ")}; up to ${megabytes(bodyLimit)}.`;
  byId("file").addEventListener("change", () => {
    const [file] = byId("file").files;
    if (file) translateFile(file);
    byId("file").value = "";  // so that the same file can be chosen again
  });
  byId("file-cancel").addEventListener("click", () => {
    fileRequest?.abort();
    byId("file").focus();
  });
  document.addEventListener("dragover", (event) => {
    const isText = text.contains(event.target);
    if (!isText && !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", takeDrop);
}


// Asks the service for the attention that the address names, such as
// #source=de&target=en&q=Haus&translation=house, and then loads the scripts that show it. The
// fields may also be in the query, which the service and proxies receive and may log.

/** Returns the fields of the request. The hash precedes the query. */
function readRequest() {
  const fields = new URLSearchParams(location.search);
  const hash = new URLSearchParams(location.hash.slice(1));
  for (const name of ["source", "target", "q", "translation"])
    if (hash.has(name)) fields.set(name, hash.get(name));
  return Object.fromEntries(fields);
}

/** Adds data to the document, where attention_state.js finds it. */
function addData(id, data) {
  const holder = element("script", { type: "application/json", id });
  holder.textContent = JSON.stringify(data);
  document.body.append(holder);
}

async function requestAttention() {
  const fields = readRequest();
  window.addEventListener("hashchange", () => {  // a link or the user has changed the address
    if (JSON.stringify(readRequest()) !== JSON.stringify(fields)) location.reload();
  });
  const showAttention = (isShown) => {
    const parts = [document.querySelector("main"), document.querySelector(".sentence"),
                   byId("theme")];
    for (const part of parts) part.hidden = !isShown;
  };
  showAttention(false);
  try {
    const { attention, view } = await ask("attention", post(fields));
    addData("sentences", attention);
    addData("view", view);
    showAttention(true);
    document.body.append(element("script", { src: "attention_view.js" }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    byId("failure").hidden = false;
    byId("failure").textContent = error.message;
    document.documentElement.dataset.ready = "true";
  }
}

requestAttention();

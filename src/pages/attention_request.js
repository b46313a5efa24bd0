
// Asks the service for the attention that the address names, such as
// ?source=de&target=en&q=Haus&translation=house, and then loads the scripts that show it.

/** Adds data to the document, where attention_state.js finds it. */
function addData(id, data) {
  const holder = element("script", { type: "application/json", id });
  holder.textContent = JSON.stringify(data);
  document.body.append(holder);
}

async function requestAttention() {
  const fields = Object.fromEntries(new URLSearchParams(location.search));
  const main = document.querySelector("main");
  main.hidden = true;
  try {
    const { sentences, view } = await ask("attention", post(fields));
    addData("sentences", sentences);
    addData("view", view);
    main.hidden = false;
    document.body.append(element("script", { src: "attention_view.js" }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    byId("failure").hidden = false;
    byId("failure").textContent = error.message;
    document.documentElement.dataset.ready = "true";
  }
}

requestAttention();

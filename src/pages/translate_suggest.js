
// Sends the service a better translation, if it keeps such suggestions.

function closeSuggestion(note) {
  byId("suggest").hidden = true;
  byId("suggest-open").hidden = false;
  byId("suggest-open").setAttribute("aria-expanded", "false");
  byId("suggest-state").textContent = note;
}

function openSuggestion() {
  byId("suggest").hidden = false;
  byId("suggest-open").hidden = true;
  byId("suggest-state").textContent = "";
  byId("suggestion").value = translation.textContent;
  byId("suggestion").lang = result.target;
  byId("suggestion").focus();
}

async function sendSuggestion(event) {
  event.preventDefault();
  const { sent } = result.candidates[result.shown];
  const fields = { q: sent, s: byId("suggestion").value, source: result.source,
                   target: result.target };
  byId("suggest-send").disabled = true;
  try {
    await ask("suggest", post(fields));
    offerSuggestion();  // the text may have changed
    byId("suggest-state").textContent = "Thank you. The service keeps your suggestion.";
    byId("suggest-open").focus();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    byId("suggest-state").textContent = error.message;
  } finally {
    byId("suggest-send").disabled = false;
  }
}

/** Offers the form for the shown translation, or hides it without one. */
function offerSuggestion() {
  closeSuggestion("");
  byId("suggest-open").hidden = !settings.suggestions || translation.textContent === "";
}

function listenToSuggestions() {
  byId("suggest-open").addEventListener("click", openSuggestion);
  byId("suggest").addEventListener("submit", sendSuggestion);
  byId("suggest").addEventListener("keydown", (event) => {
    if (event.key === "Escape") byId("suggest-cancel").click();
  });
  byId("suggest-cancel").addEventListener("click", () => {
    closeSuggestion("");
    byId("suggest-open").focus();
  });
}


// The button that switches between the light and the dark theme. The hash of the address keeps the
// theme when the page is loaded again.

const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : darkPreferred.matches;
};

function nameTheme() {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", `Switch to the ${isDark() ? "light" : "dark"} theme`);
}

const named = new URLSearchParams(location.hash.slice(1)).get("theme");
if (["light", "dark"].includes(named)) document.documentElement.dataset.theme = named;
nameTheme();
byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
  try {
    history.replaceState(null, "", `#theme=${document.documentElement.dataset.theme}`);
  } catch { /* A sandboxed frame has no history. */ }
});
darkPreferred.addEventListener("change", nameTheme);

// Shows what cleaning a corpus did: totals, a table of the rules with bars, and dropped pairs.

const cleaning = JSON.parse(byId("cleaning").textContent);

const count = (number) => number.toLocaleString("en-US");
const share = (part) => (cleaning.pairs === 0 ? 0 : part / cleaning.pairs);

/** Returns the share of all pairs in percent. A count above 0 is never shown as 0.00%. */
function percent(part) {
  const text = (100 * share(part)).toFixed(2);
  return part > 0 && text === "0.00" ? "<0.01%" : `${text}%`;
}

const definitions = (pairs) => pairs.map(([name, value]) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, value)));

// ---- rules ----

const exampleId = (rule) => `rule-${rule.name}`;
const largest = Math.max(1, ...cleaning.rules.map(({ dropped }) => dropped));

/** Returns the summary with its "N" replaced by the value. */
const sentence = ({ summary, value, is_on: isOn }) =>
  (isOn ? summary.replace(/\bN\b/, value) : summary);

function ruleRow(rule) {
  const name = rule.examples.length > 0
    ? element("a", { href: `#${exampleId(rule)}` }, rule.name) : rule.name;
  const bar = element("div", { class: "bar", style: `width: ${100 * rule.dropped / largest}%` });
  return element(
    "tr", rule.is_on ? {} : { class: "off" }, element("th", { scope: "row" }, name),
    element("td", {}, rule.is_on ? count(rule.dropped) : ""),
    element("td", {}, rule.is_on ? percent(rule.dropped) : ""),
    element("td", {}, ...(rule.dropped > 0 ? [bar] : [])), element("td", {}, rule.value),
    element("td", {}, sentence(rule)));
}

const rows = cleaning.rules.map(ruleRow);
byId("rules").tBodies[0].append(...rows);

byId("only-used").addEventListener("change", (event) => {
  rows.forEach((row, i) => {
    row.hidden = event.target.checked && cleaning.rules[i].dropped === 0;
  });
});

// ---- examples ----

function side(name, text, language) {
  const attributes = { dir: "auto", ...(language ? { lang: language } : {}) };
  const shown = text.trim() === "" ? element("span", { class: "blank" }, "empty")
                                   : element("bdi", attributes, text);
  return element("p", {}, element("span", { class: "caption" }, name), shown);
}

/** Returns the line, with what the rule of a model measured. */
const place = ({ line, score }) =>
  (score === undefined ? count(line) : `${count(line)}, measured ${score.toPrecision(4)}`);

const exampleView = ({ source, target, ...example }) => element(
  "div", { class: "pair" },
  element("p", {}, element("span", { class: "caption" }, "line"),
          element("span", { class: "caption" }, place(example))),
  side(cleaning.source_language || "source", source, cleaning.source_language),
  side(cleaning.target_language || "target", target, cleaning.target_language));

function ruleCard(rule) {
  const { examples, dropped } = rule;
  const shown = examples.length < dropped
    ? `The first ${examples.length} of ${count(dropped)} dropped pairs.`
    : `${dropped === 1 ? "The dropped pair" : `All ${count(dropped)} dropped pairs`}.`;
  return element("section", { class: "card", id: exampleId(rule) },
                 element("h2", {}, rule.name),
                 element("p", { class: "hint" }, `Dropped if ${sentence(rule)}. ${shown}`),
                 ...examples.map(exampleView));
}

// ---- start ----

const dropped = cleaning.pairs - cleaning.kept;
document.title = `${cleaning.name} – tfm`;
byId("name").textContent = cleaning.name;
byId("totals").append(...definitions([
  ["Pairs", count(cleaning.pairs)],
  ["Kept", `${count(cleaning.kept)} (${percent(cleaning.kept)})`],
  ["Dropped", `${count(dropped)} (${percent(dropped)})`],
]));
byId("whole").append(element("div", { style: `width: ${100 * share(cleaning.kept)}%` }));
byId("whole").setAttribute("aria-label", `${percent(cleaning.kept)} of the pairs were kept`);
byId("whole").hidden = cleaning.pairs === 0;
byId("facts").append(...definitions(cleaning.facts));
byId("examples").append(
  ...cleaning.rules.filter(({ examples }) => examples.length > 0).map(ruleCard));
byId("generated").textContent = cleaning.generated;
document.documentElement.dataset.ready = "true";

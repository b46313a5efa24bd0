"use strict";
// Looks up and creates elements, shows script errors and saves files. All pages use this script.

window.addEventListener("error", (event) => {
  document.documentElement.dataset.error = event.message;
  const failure = document.getElementById("failure");
  failure.hidden = false;
  failure.textContent = `This page failed: ${event.message}`;
});

const byId = (id) => document.getElementById(id);
const darkPreferred = window.matchMedia("(prefers-color-scheme: dark)");

function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

function svgElement(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

/** Offers a text as a file to download. */
function save(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

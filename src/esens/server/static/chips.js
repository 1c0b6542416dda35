// What was understood, as chips that can be changed: the target, and each exclusion with its relation.

import { make } from "./dom.js";

const RELATION = { about: "not about", has: "without", open: "not" };
const MEANS = {
  about: "documents about it go", has: "documents that have it go", open: "the query leaves open which documents go",
};

/** Fill the list. `on` has change(index, changes), remove(index), target(text) and add(). */
export function renderChips(list, reading, on) {
  const items = reading.exclusions.map((exclusion, at) => chip(exclusion, at, reading.relations[at] ?? exclusion.relation, on));
  list.replaceChildren(
    make("li", { className: "chip is-wanted" },
      make("span", { className: "chip-kind" }, "wanted"),
      field(reading.target, "Wanted", (text) => on.target(text))),
    ...items,
    make("li", { className: "add" },
      make("button", { type: "button", id: "add-exclusion", className: "quiet", onclick: () => on.add() }, "+ exclude something")));
}

/** A chip for something that is typed in now. */
export function newChip(list, on) {
  const done = (text) => (text ? on.create(text) : on.cancel());
  const input = field("", "Exclude", done);
  const item = make("li", { className: "chip is-excluded is-new" }, make("span", { className: "chip-kind" }, "not"), input);
  input.addEventListener("blur", () => { if (!input.value.trim()) on.cancel(); });
  list.querySelector(".add").replaceWith(item);
  input.focus();
}

function chip(exclusion, at, relation, on) {
  if (exclusion.relation === "like") {
    return make("li", { className: "chip is-excluded is-like" },
      make("span", { className: "chip-kind" }, "fewer like"),
      make("span", { className: "chip-text", dir: "auto" }, exclusion.text),
      remove(exclusion.text, at, on));
  }
  const other = relation === "has" ? "about" : "has";
  const name = `Not: documents that ${relation === "has" ? "have" : "are about"} ${exclusion.text}`;
  return make("li", { className: "chip is-excluded" },
    make("button", {
      type: "button", className: "chip-kind relation", title: `${MEANS[relation]}; switch to “${RELATION[other]}”`,
      "aria-label": `${name}. Switch to “${RELATION[other]}”`,
      onclick: () => on.change(at, { relation: other, is_decided: true }),
    }, RELATION[relation], make("span", { className: "switch", "aria-hidden": "true" }, "⇄")),
    field(exclusion.text, "Excluded", (text) => (text ? on.change(at, { text }) : on.remove(at))),
    remove(exclusion.text, at, on));
}

function remove(text, at, on) {
  return make("button", {
    type: "button", className: "remove", "aria-label": `Remove the exclusion ${text}`, onclick: () => on.remove(at),
  }, "×");
}

/** An input as wide as its text; Enter takes it, Escape gives the old one back. */
function field(text, label, take) {
  const input = make("input", { type: "text", value: text, className: "chip-text", dir: "auto", "aria-label": label, spellcheck: false });
  const fit = () => { input.size = Math.max(3, Math.min(48, input.value.length)); };
  let isTaken = false; // by Enter, behind which comes a change event
  const commit = () => {
    if (isTaken || input.value.trim() === text) return;
    isTaken = true;
    take(input.value.trim());
  };
  input.addEventListener("input", fit);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); commit(); }
    if (event.key === "Escape") { input.value = text; fit(); input.blur(); }
  });
  input.addEventListener("change", commit);
  fit();
  return input;
}

// Elements without markup: texts become text nodes, whatever they hold.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties, attributes (names with a dash, and role), listeners (onclick) and children. */
export function make(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

export function makeSvg(tag, options = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(options)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

export function show(element, isShown) {
  element.hidden = !isShown;
}

/** Text with some of it marked: `ranges` are pairs of places, in any order. */
export function marked(text, ranges, className) {
  const parts = [];
  let from = 0;
  for (const [start, end] of ranges.filter(([a, b]) => b > a).sort((a, b) => a[0] - b[0])) {
    if (start < from) continue;
    parts.push(text.slice(from, start), make("mark", { className }, text.slice(start, end)));
    from = end;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

function fill(element, options, children) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "role" || name.includes("-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

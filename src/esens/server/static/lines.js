// Lines between the two columns that show what moved where.

import { makeSvg } from "./dom.js";

/** Draw a line for every document of either list; those on one side alone come from below, or fall.
    `toneOf` says of a document whether it is "bad", is "paying", or neither. */
export function drawLines(svg, left, right, toneOf) {
  const box = svg.getBoundingClientRect();
  const width = box.width;
  svg.setAttribute("viewBox", `0 0 ${width} ${box.height}`);
  const ends = [left, right].map((list) => new Map([...list.children].map((card) => [card.dataset.id, middle(card)])));
  const ids = new Set([...ends[0].keys(), ...ends[1].keys()]);
  const weight = (id) => ["", "paying", "bad"].indexOf(toneOf(id));
  const order = [...ids].sort((a, b) => weight(a) - weight(b)); // what is excluded is drawn last, on top
  svg.replaceChildren(...order.flatMap((id) => line(id, ends[0].get(id), ends[1].get(id), width, toneOf(id))));
}

// Where a card stands when nothing moves any more: transforms do not count.
function middle(card) {
  return card.offsetTop + Math.min(card.offsetHeight / 2, 44);
}

function line(id, from, to, width, tone) {
  const kind = tone ? `is-${tone}` : to === undefined ? "is-gone" : from === undefined ? "is-new" : to < from - 4 ? "is-up" : "is-same";
  const options = { class: `move-line ${kind}`, "data-id": id };
  if (from !== undefined && to !== undefined) {
    return [makeSvg("path", { ...options, d: curve(0, from, width, to) })];
  }
  if (to === undefined) {
    const [x, y] = [width * 0.36, from + 26];
    return [
      makeSvg("path", { ...options, d: `M 0 ${from} C ${width * 0.2} ${from}, ${x} ${from}, ${x} ${y}` }),
      makeSvg("path", { ...options, class: `${options.class} is-head`, d: `M ${x - 4} ${y - 5} L ${x} ${y} L ${x + 4} ${y - 5}` }),
    ];
  }
  const [x, y] = [width * 0.64, to + 26];
  return [makeSvg("path", { ...options, d: `M ${x} ${y} C ${x} ${to}, ${width * 0.8} ${to}, ${width} ${to}` })];
}

function curve(x1, y1, x2, y2) {
  const bend = (x2 - x1) * 0.5;
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

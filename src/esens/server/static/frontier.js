// The frontier of an evaluation: what is kept of the answers against what gets through of the excluded, at every beta.

import { readEvaluation } from "./api.js";
import { byId, make, makeSvg } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 420, 56, 24, 16, 48];
const LETTER = 6.7; // about what a letter of a name takes
const FIRST = ["plain", "esens"];
const HOW = "esens evaluate my-benchmark --json run.json\nesens serve my.lance --evaluation run.json";
let loaded = null;

export async function showFrontier(body, service, fail) {
  if (!service.has_evaluation) {
    body.replaceChildren(
      make("p", {}, "This service was told of no evaluation. Measure your own data, and the curve will be here:"),
      make("pre", { tabIndex: 0, role: "region", "aria-label": "Commands" }, make("code", {}, HOW)));
    return;
  }
  if (loaded) return;
  try {
    loaded = await readEvaluation();
  } catch (error) {
    fail(error, () => showFrontier(body, service, fail));
    return;
  }
  render(body, loaded);
}

function render(body, evaluation) {
  const sides = sidesOf(evaluation);
  const methods = pointsOf(evaluation.methods, sides);
  const curves = Object.entries(evaluation.frontier)
    .filter(([, curve]) => curve[sides.bad] && curve[sides.good])
    .map(([name, curve]) => ({ name, points: curve.beta.map((beta, at) => ({ beta, x: curve[sides.bad][at], y: curve[sides.good][at] })) }));
  const all = [...methods, ...curves.flatMap(({ points }) => points)];
  const facts = `${evaluation.dataset}: ${evaluation.queries.toLocaleString("en")} queries, ${evaluation.documents.toLocaleString("en")} documents.`;
  if (!all.length) {
    body.replaceChildren(make("p", {}, facts), make("p", {}, "This evaluation has no two measures to draw against each other."));
    return;
  }
  const scale = scaleOf(all);
  const svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-labelledby": "plot-title" },
    makeSvg("title", { id: "plot-title" }, `${sides.goodName} against ${sides.badName}; the table below has the same figures`),
    ...axes(scale, sides));
  const label = make("output", { className: "point" });
  const picked = makeSvg("circle", { r: 7, class: "picked" });
  curves.forEach((curve, number) => {
    const path = curve.points.map(({ x, y }, at) => `${at ? "L" : "M"} ${scale.x(x)} ${scale.y(y)}`).join(" ");
    svg.append(makeSvg("path", { d: path, class: `curve curve-${number % 3}` }));
    curve.points.forEach((point, at) => {
      const dot = makeSvg("circle", { cx: scale.x(point.x), cy: scale.y(point.y), r: 3, class: `dot curve-${number % 3}` });
      dot.addEventListener("pointerenter", () => pick(number, at));
      svg.append(dot);
    });
  });
  svg.append(picked, ...labelled(methods, scale));
  body.replaceChildren(make("p", {}, facts), svg, curves.length ? walker(curves, (number, at) => pick(number, at)) : "", label, table(methods, sides));

  function pick(number, at) {
    const { name, points } = curves[number];
    const { beta, x, y } = points[at];
    picked.setAttribute("cx", scale.x(x));
    picked.setAttribute("cy", scale.y(y));
    label.replaceChildren(make("strong", {}, `β ${beta.toFixed(2)}`), ` ${name}: ${sides.goodName} ${exact(y)}, ${sides.badName} ${exact(x)}`);
    byId("curve").value = number;
    byId("curve-beta").max = points.length - 1;
    byId("curve-beta").value = at;
    byId("curve-beta").setAttribute("aria-valuetext", label.textContent);
  }

  if (curves.length) pick(0, Math.min(30, curves[0].points.length - 1));
}

/** Which two measures: recall and violation, or, of the first places, the shares wanted and excluded. */
function sidesOf({ methods, frontier }) {
  const names = [...Object.values(methods), ...Object.values(frontier)].flatMap(Object.keys);
  const places = names.filter((name) => /^excluded@\d+$/.test(name)).map((name) => Number(name.split("@")[1]));
  if (names.includes("avg_violation") || !places.length) {
    return { bad: "avg_violation", good: "avg_recall", badName: "violation", goodName: "recall" };
  }
  const k = Math.max(...places);
  return { bad: `excluded@${k}`, good: `wanted@${k}`, badName: `excluded of the first ${k}`, goodName: `wanted of the first ${k}` };
}

function pointsOf(methods, sides) {
  return Object.entries(methods)
    .map(([name, measures]) => ({ name, x: measures[sides.bad], y: measures[sides.good], intervals: measures.intervals ?? {} }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

function scaleOf(points) {
  const range = (values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = Math.max((high - low) * 0.08, 0.02);
    return [Math.max(0, low - room), Math.min(1, high + room)];
  };
  const [x0, x1] = range(points.map(({ x }) => x));
  const [y0, y1] = range(points.map(({ y }) => y));
  return {
    ends: [x0, x1, y0, y1],
    x: (value) => LEFT + ((value - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT),
    y: (value) => HEIGHT - BOTTOM - ((value - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM),
  };
}

function axes(scale, { badName, goodName }) {
  const [x0, x1, y0, y1] = scale.ends;
  const text = (content, x, y, options = {}) => makeSvg("text", { x, y, class: "tick", ...options }, content);
  const ticks = (low, high) => {
    const step = high - low > 0.5 ? 0.2 : high - low > 0.2 ? 0.1 : 0.05;
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, at) => (first + at) * step);
  };
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  return [
    ...ticks(x0, x1).flatMap((value) => [
      makeSvg("line", { x1: scale.x(value), x2: scale.x(value), y1: TOP, y2: HEIGHT - BOTTOM, class: "grid" }),
      text(short(value), scale.x(value), HEIGHT - BOTTOM + 18, { "text-anchor": "middle" })]),
    ...ticks(y0, y1).flatMap((value) => [
      makeSvg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: scale.y(value), y2: scale.y(value), class: "grid" }),
      text(short(value), LEFT - 8, scale.y(value) + 4, { "text-anchor": "end" })]),
    text(`${badName} (lower is better)`, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, { "text-anchor": "middle" }),
    text(`${goodName} (higher is better)`, 0, 0, { "text-anchor": "middle", transform: `translate(14 ${middle}) rotate(-90)` }),
  ];
}

/** Methods as signs. Names stand beside them where there is room, ours and plain search first; the table has all. */
function labelled(methods, scale) {
  const taken = methods.map(({ x, y }) => ({ left: scale.x(x) - 5, right: scale.x(x) + 5, middle: scale.y(y) }));
  const order = [...methods].sort((a, b) => FIRST.indexOf(b.name) - FIRST.indexOf(a.name));
  return order.flatMap(({ name, x, y }) => {
    const [left, middle] = [scale.x(x), scale.y(y)];
    const sign = makeSvg("rect", {
      x: left - 4, y: middle - 4, width: 8, height: 8, class: "method", "data-method": name, transform: `rotate(45 ${left} ${middle})`,
    }, makeSvg("title", {}, name));
    const room = [[left + 9, "start"], [left - 9, "end"]].flatMap(([at, anchor]) => [0, 14, -14].map((down) => {
      const from = anchor === "start" ? at : at - name.length * LETTER;
      return { at, anchor, left: from, right: from + name.length * LETTER, middle: middle + down };
    })).find((box) => box.left > LEFT && box.right < WIDTH && box.middle > TOP && box.middle < HEIGHT - BOTTOM
      && !taken.some((other) => box.left < other.right && other.left < box.right && Math.abs(box.middle - other.middle) < 12));
    if (!room) return [sign];
    taken.push(room);
    return [sign, makeSvg("text", { x: room.at, y: room.middle + 4, class: "name", "text-anchor": room.anchor }, name)];
  });
}

/** Walk along a curve by keyboard. */
function walker(curves, pick) {
  const select = make("select", { id: "curve" }, curves.map(({ name }, at) => make("option", { value: at }, name)));
  const range = make("input", { id: "curve-beta", type: "range", min: 0, step: 1 });
  select.addEventListener("change", () => pick(Number(select.value), 0));
  range.addEventListener("input", () => pick(Number(select.value), Number(range.value)));
  return make("div", { className: "walker" },
    make("label", { htmlFor: "curve" }, "Curve"), select, make("label", { htmlFor: "curve-beta" }, "β"), range);
}

function table(methods, { bad, good, badName, goodName }) {
  const cell = ({ intervals }, name, value) => {
    const [low, high] = intervals[name] ?? [];
    return low === undefined ? exact(value) : `${exact(value)} (${exact(low)}–${exact(high)})`;
  };
  return make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Methods" }, make("table", {},
    make("thead", {}, make("tr", {}, ["method", `${goodName} ↑`, `${badName} ↓`].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, methods.map((method) => make("tr", { onpointerenter: () => near(method.name), onpointerleave: () => near(null) },
      make("th", { scope: "row" }, method.name),
      make("td", {}, cell(method, good, method.y)), make("td", {}, cell(method, bad, method.x)))))));
}

/** Make the sign of a method stand out while its row is pointed at. */
function near(name) {
  for (const sign of document.querySelectorAll(".method")) sign.classList.toggle("is-near", sign.dataset.method === name);
}

const exact = (value) => value.toFixed(3).replace(/^0(?=\.)/, "");
const short = (value) => value.toFixed(3).replace(/0+$/, "").replace(/\.$/, "").replace(/^0(?=\.)/, "") || "0";

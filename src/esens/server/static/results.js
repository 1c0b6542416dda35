// Two rankings side by side: cards for documents, and what each says of itself.

import { make, marked } from "./dom.js";
import { evidenceIn, findingOf, toneOf } from "./findings.js";

const EXCERPT = 190;
const LEAD = 60;

/** Fill a list with cards. `note` says of each where it stands on the other side. */
export function renderCards(list, ranked, context) {
  const open = new Set([...list.querySelectorAll("details[open]")].map((each) => each.closest("li").dataset.id));
  list.replaceChildren(...ranked.map((each) => card(each, { ...context, isOpen: open.has(each.document.id) })));
}

function card(each, context) {
  const { document } = each;
  const isBad = context.isMarked(document.id);
  const note = context.note(each);
  const places = evidenceIn(each, context.reading);
  const mark = isBad ? "bad" : toneOf(each);
  return make("li", { className: `card${isBad ? " is-bad" : ""}`, dataset: { id: document.id } },
    make("span", { className: "rank", "aria-hidden": "true" }, String(each.rank)),
    make("article", { "aria-label": `${each.rank}. ${nameOf(document)}` },
      make("header", {},
        make("h3", { dir: "auto" }, marked(nameOf(document), document.title ? places.title : [], mark)),
        make("span", { className: "place" },
          isBad ? make("span", { className: "badge" }, "excluded") : null,
          note && make("span", { className: `move is-${note.kind}` }, note.text))),
      make("p", { className: "text", dir: "auto" }, excerpt(document.text, places.text, mark)),
      make("footer", {},
        make("span", { className: "reasons" }, bar(each, context), finding(each, context, mark)),
        make("div", { className: "tools" },
          make("button", {
            type: "button", className: "quiet", onclick: () => context.onFewer(document),
            "aria-label": `Fewer like this: ${nameOf(document)}`,
          }, "Fewer like this"),
          whole(each, context, places, mark)))));
}

export function nameOf(document) {
  return document.title || document.text.slice(0, 60) || document.id;
}

function finding(each, context, tone) {
  const words = findingOf(each, context.reading);
  return words ? make("span", { className: `finding is-${tone}` }, words) : null;
}

/** The terms of the score as a bar: what is kept of the relevance, and what is lost. */
function bar(each, { unit, isPlain }) {
  const full = isPlain ? each.score : each.relevance;
  const words = isPlain
    ? `Score ${three(each.score)}, the plain similarity`
    : `Score ${three(each.score)}: relevance ${three(each.relevance)}, less ${three(each.penalty)} for what is excluded`;
  const kept = make("span", { className: "kept" });
  const lost = make("span", { className: "lost" });
  kept.style.inlineSize = `${unit(each.score)}%`;
  lost.style.inlineSize = `${Math.max(0, unit(full) - unit(each.score))}%`;
  return make("span", { className: "score", title: words },
    make("span", { className: "bar", role: "img", "aria-label": words }, kept, lost),
    make("span", { className: "number", "aria-hidden": "true" }, three(each.score)));
}

/** The whole text and every term, shown when somebody asks. */
function whole(each, context, places, mark) {
  const { document } = each;
  const details = make("details", { open: context.isOpen },
    make("summary", { "aria-label": `Why? ${nameOf(document)}` }, "Why?"));
  const fill = () => {
    if (details.childElementCount > 1) return;
    details.append(make("div", { className: "why" },
      make("p", { dir: "auto" }, marked(document.text, places.text, mark)),
      make("dl", {}, terms(each, context).flatMap(([name, value]) => [make("dt", {}, name), make("dd", { dir: "auto" }, value)]))));
  };
  details.addEventListener("toggle", () => { fill(); context.onLayout(); });
  if (context.isOpen) fill();
  return details;
}

function terms(each, { reading, isPlain }) {
  const { document } = each;
  const rows = [["score", three(each.score)], ["similarity to the query", three(document.query_similarity)]];
  if (!isPlain && document.losses.length) {
    rows.push(["relevance", three(each.relevance)], ["penalty", three(each.penalty)]);
  }
  document.losses.forEach((loss, at) => {
    const said = loss.evidence?.quote ? `, “${loss.evidence.quote}”` : "";
    const line = loss.fixed || !loss.slope ? `${percent(loss.fixed)} at any β` : `${loss.slope.toFixed(2)} · β`;
    rows.push([`share lost for “${reading.exclusions[at].text}”`, `${line}${said}`]);
  });
  if (document.rank_before !== null) rows.push(["rank in plain search", String(document.rank_before)]);
  rows.push(["id", document.id]);
  for (const [name, value] of Object.entries(document.metadata)) {
    rows.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  return rows;
}

/** A part of the text that has the evidence in it, from the beginning where that is near. */
function excerpt(text, ranges, mark) {
  const first = ranges.length ? Math.min(...ranges.map(([start]) => start)) : 0;
  let from = first > EXCERPT - LEAD ? text.lastIndexOf(" ", first - LEAD) + 1 : 0;
  if (from < 0) from = 0;
  const part = text.slice(from);
  const inside = ranges.map(([start, end]) => [start - from, end - from]).filter(([start]) => start >= 0);
  return [...(from ? ["… "] : []), ...marked(part, inside, mark)];
}

export const three = (number) => number.toFixed(3).replace("-", "−");
const percent = (share) => `${Math.round(share * 100)} %`;

// The page: a state, which is in the address; an answer of the service; and what both come to.

import { key, listCollections, search, ServiceError } from "./api.js";
import { DEFAULTS, readAddress, writeAddress } from "./address.js";
import { newChip, renderChips } from "./chips.js";
import { byId, make, show } from "./dom.js";
import { findingOf } from "./findings.js";
import { showFrontier } from "./frontier.js";
import { drawLines } from "./lines.js";
import { nameOf, renderCards } from "./results.js";
import { lossAt, rank, rankPlainly } from "./score.js";

const K = 10;
const CANDIDATES = 100;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let state = { ...DEFAULTS };
let service = { collections: [], examples: [], max_k: CANDIDATES, has_evaluation: false };
let answer = null;
let asked = null; // what can still be given up

// ---- asking

async function start() {
  state = readAddress(location.hash);
  wire();
  await connect();
}

/** Learn what the service has; where it wants a key first, ask for that. */
async function connect() {
  try {
    service = await listCollections();
  } catch (error) {
    fail(error, connect);
    busy(false);
    return;
  }
  calmDown();
  show(byId("key-form"), false);
  show(byId("forget-key"), Boolean(key.read()));
  showCollections();
  restore();
}

/** Bring the page to its state, as it was read from the address. */
function restore() {
  byId("query").value = state.q;
  document.querySelector(`[name=mode][value=${state.mode}]`).checked = true;
  if (state.collection && !service.collections.some(({ name }) => name === state.collection)) state.collection = "";
  byId("collection").value = state.collection || service.collections[0]?.name;
  showView();
  showExamples();
  if (state.q.trim()) ask();
  else forget();
}

function forget() {
  asked?.abort();
  busy(false);
  answer = null;
  show(byId("answer"), false);
  show(byId("intro"), true);
}

/** Ask the service, and show what it says; a later question goes before an earlier one. */
async function ask({ focus } = {}) {
  asked?.abort();
  const own = (asked = new AbortController());
  busy(true);
  try {
    const got = await search(request(), own.signal);
    answer = { ...got, reading: readingOf(got) };
    calmDown();
    showAnswer();
    focus?.();
  } catch (error) {
    if (error.name === "AbortError") return;
    fail(error, () => ask({ focus }));
  }
  if (asked === own) busy(false);
}

function request() {
  return {
    query: state.q,
    k: Math.min(K, service.max_k),
    candidates: Math.min(CANDIDATES, service.max_k),
    ...(state.collection && { collection: state.collection }),
    ...(state.split && { decomposition: state.split }),
    ...(state.like.length && { exclude: state.like.map((id) => ({ example: id })) }),
  };
}

function readingOf({ target, exclusions, candidates }) {
  return { target, exclusions, relations: candidates?.relations ?? exclusions.map(({ relation }) => relation) };
}

// ---- showing

function showAnswer() {
  show(byId("intro"), false);
  show(byId("answer"), true);
  const { reading, confidence, reason, provenance, note } = answer;
  renderChips(byId("chips"), reading, chipActions);
  byId("why").textContent = whyOf(reading, confidence, reason, provenance);
  byId("note").textContent = note;
  show(byId("note"), Boolean(note));
  show(byId("controls"), Boolean(answer.candidates));
  showRanking();
  announce(byId("verdict").textContent);
}

function whyOf({ exclusions }, confidence, reason, provenance) {
  if (state.split) return "As you changed it.";
  const by = provenance.decomposer === "rules" ? "Read by rules" : `Read by ${provenance.decomposer}`;
  const sure = exclusions.length ? `, ${Math.round(confidence * 100)} % sure` : "";
  return `${by}${sure}${reason ? `: ${reason}` : ""}.${provenance.failure ? ` ${provenance.failure}` : ""}`;
}

const betaOf = () => state.beta ?? answer.scoring.beta;

/** Rank at the chosen strength, here, without asking again. */
function showRanking({ isMoving = false } = {}) {
  const { candidates, reading, scoring } = answer;
  if (!candidates?.documents.length) return showPlainly();
  const beta = betaOf();
  byId("beta").value = beta;
  byId("beta").setAttribute("aria-valuetext", beta === 0 ? "0, plain search" : beta.toFixed(2));
  byId("beta-value").textContent = beta.toFixed(2);
  show(byId("beta-default"), state.beta !== null && state.beta !== scoring.beta);
  const ranking = rank(candidates, { beta, mode: state.mode, k: K });
  // What counts as excluded does not change with the slider, so that one sees what it lets through.
  const plain = rankPlainly(candidates, { beta: scoring.beta, k: K });
  const shares = new Map(candidates.documents.map(({ id, losses }) => [id, lossAt(losses, scoring.beta).share]));
  const isMarked = (id) => shares.get(id) >= candidates.threshold;
  const left = new Set(ranking.removed.map(({ document }) => document.id));
  const most = Math.max(...plain.map(({ score }) => score), ...ranking.best.map(({ relevance, score }) => Math.max(relevance, score)));
  const unit = (score) => Math.max(0, Math.min(100, (100 * (score - candidates.low)) / (most - candidates.low || 1)));
  const context = { reading, isMarked, unit, onFewer: fewer, onLayout: draw };
  const before = isMoving && !calm.matches ? placesOf() : null;
  renderCards(listOf("plain"), plain, {
    ...context, isPlain: true, note: ({ document: { id }, rank: at }) => wentTo(at, left.has(id) ? null : ranking.ranks.get(id)),
  });
  renderCards(listOf("esens"), ranking.best, {
    ...context, isPlain: beta === 0 || state.mode === "flag", note: ({ document, rank: at }) => cameFrom(at, document.rank_before),
  });
  showRemoved(ranking.removed);
  showVerdict(plain, ranking, isMarked);
  if (before) glide(before);
  draw.toneOf = (id) => (isMarked(id) ? "bad" : shares.get(id) > 0 ? "paying" : "");
  draw();
}

/** Where nothing is excluded both are the same. */
function showPlainly() {
  const { hits, reading } = answer;
  const ranked = hits.map(({ explanation, ...document }) => ({
    document: { ...document, losses: [], rank_before: explanation.rank_before, query_similarity: explanation.query_similarity },
    rank: document.rank, score: document.score, relevance: document.score, penalty: 0, share: 0, trap: 0,
  }));
  const scores = ranked.map(({ score }) => score);
  const [low, most] = [Math.min(0, ...scores), Math.max(...scores, 0)];
  const context = {
    reading, isMarked: () => false, isPlain: true, note: () => null, onFewer: fewer, onLayout: draw,
    unit: (score) => (100 * (score - low)) / (most - low || 1),
  };
  for (const side of ["plain", "esens"]) renderCards(listOf(side), ranked, context);
  showRemoved([]);
  byId("verdict").replaceChildren(ranked.length
    ? "Nothing is excluded, so esens changes nothing: both rankings are the same, to the last bit."
    : "Nothing was found: this collection has no document for it.");
  draw.toneOf = () => "";
  draw();
}

function showVerdict(plain, ranking, isMarked) {
  const count = (ranked) => ranked.filter(({ document }) => isMarked(document.id)).length;
  const [before, after] = [count(plain), count(ranking.best)];
  const strong = (number) => make("strong", { className: number ? "bad" : "good" }, String(number || "none"));
  const rest = state.mode === "flag" ? "esens leaves the order and marks them." : null;
  byId("verdict").replaceChildren(
    "Of the first ", String(plain.length), ", plain search hands out ", strong(before), " that you excluded; ",
    ...(rest ? [rest] : ["esens ", strong(after), "."]),
    ...(ranking.isSettled ? [] : [" At this strength, documents that were not fetched may rank as high."]));
}

function wentTo(at, now) {
  if (now === null) return { kind: "out", text: "left out" };
  if (now === undefined) return { kind: "down", text: "now far down" };
  if (now === at) return { kind: "same", text: "stays" };
  return now > at ? { kind: "down", text: `now ${now}` } : { kind: "up", text: `now ${now}` };
}

function cameFrom(at, before) {
  if (before === null) return null;
  if (before === at) return { kind: "same", text: "as before" };
  return before > at ? { kind: "up", text: `was ${before}` } : { kind: "down", text: `was ${before}` };
}

function showRemoved(removed) {
  show(byId("removed"), removed.length > 0);
  byId("removed-title").textContent = `Left out (${removed.length})`;
  byId("removed").querySelector("ul").replaceChildren(...removed.map((each) => {
    const quote = each.document.losses[each.trap]?.evidence?.quote;
    return make("li", {},
      make("strong", { dir: "auto" }, nameOf(each.document)), " ",
      make("span", { className: "finding is-bad" }, findingOf(each, answer.reading)),
      quote ? make("q", { dir: "auto" }, quote) : null,
      each.document.rank_before ? make("span", { className: "was" }, `was ${each.document.rank_before} in plain search`) : null);
  }));
}

const listOf = (side) => byId(side).querySelector("ol");

function draw() {
  const svg = byId("lines");
  if (getComputedStyle(svg).display === "none" || byId("answer").hidden) return;
  drawLines(svg, listOf("plain"), listOf("esens"), draw.toneOf ?? (() => ""));
}

function placesOf() {
  return new Map([...listOf("esens").children].map((card) => [card.dataset.id, card.offsetTop]));
}

/** Let cards glide from where they were. */
function glide(before) {
  for (const card of listOf("esens").children) {
    const from = before.get(card.dataset.id);
    const options = { duration: 220, easing: "ease-out" };
    if (from === undefined) card.animate([{ opacity: 0 }, { opacity: 1 }], options);
    else if (from !== card.offsetTop) {
      card.animate([{ transform: `translateY(${from - card.offsetTop}px)` }, { transform: "none" }], options);
    }
  }
}

function showCollections() {
  const select = byId("collection");
  select.replaceChildren(...service.collections.map(({ name }) => make("option", { value: name }, name)));
  show(select, service.collections.length > 1);
}

function showExamples() {
  const first = service.collections[0]?.name;
  const fit = service.examples.length > 0 && (!state.collection || state.collection === first);
  show(byId("examples"), fit);
  byId("examples").querySelector("ul").replaceChildren(...service.examples.map((text) =>
    make("li", {}, make("button", { type: "button", className: "example", onclick: () => query(text) }, text))));
}

function showView() {
  for (const view of ["search", "frontier"]) {
    show(byId(view), state.view === view);
    if (state.view === view) byId(`view-${view}`).setAttribute("aria-current", "page");
    else byId(`view-${view}`).removeAttribute("aria-current");
  }
  if (state.view === "frontier") showFrontier(byId("frontier-body"), service, fail);
}

function busy(isBusy) {
  byId("search").setAttribute("aria-busy", String(isBusy));
  document.body.classList.toggle("is-busy", isBusy);
}

function announce(text) {
  byId("status").textContent = text;
}

/** Say what went wrong, and offer to try again. */
function fail(error, again) {
  if (!(error instanceof ServiceError)) throw error;
  const [what, remedy] = error.words;
  byId("error").replaceChildren(
    make("p", {}, make("strong", {}, what), " ", remedy),
    error.needsKey ? "" : make("button", { type: "button", onclick: again }, "Try again"));
  show(byId("error"), true);
  if (error.needsKey) {
    show(byId("key-form"), true);
    show(byId("forget-key"), false);
    byId("key").focus();
  }
}

function calmDown() {
  show(byId("error"), false);
}

// ---- acting

/** Change the state and write it into the address; a new question is a new entry of the history. */
function go(changes, { isStep = true } = {}) {
  state = { ...state, ...changes };
  const address = writeAddress(state);
  if (isStep && address !== location.hash) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

function query(text) {
  byId("query").value = text;
  go({ q: text, split: null, like: [], view: "search" });
  if (text.trim()) ask();
  else forget();
}

function fewer(document) {
  if (state.like.includes(document.id)) return;
  go({ like: [...state.like, document.id] });
  ask({ focus: () => [...byId("chips").querySelectorAll(".is-like .remove")].at(-1)?.focus() });
}

/** Own exclusions as they are sent back: those by example go beside them. */
function ownSplit() {
  const own = answer.reading.exclusions.filter(({ relation }) => relation !== "like").map((each) => ({
    text: each.text, relation: each.relation, is_decided: each.is_decided,
    ...(each.is_literal && { is_literal: true }), ...(each.phrase && { phrase: each.phrase }), ...(each.field && { field: each.field }),
  }));
  return { target: answer.reading.target, exclusions: own };
}

function resplit(change) {
  const split = ownSplit();
  change(split);
  go({ split });
  ask({ focus: () => byId("add-exclusion").focus() });
}

const chipActions = {
  target: (text) => { if (text) resplit((split) => { split.target = text; }); else renderChips(byId("chips"), answer.reading, chipActions); },
  change: (at, changes) => resplit((split) => {
    if (changes.text) delete split.exclusions[at].phrase; // it put the old text
    Object.assign(split.exclusions[at], changes);
  }),
  remove: (at) => {
    const own = ownSplit().exclusions.length;
    if (at < own) { resplit((split) => split.exclusions.splice(at, 1)); return; }
    go({ like: state.like.filter((_, number) => number !== at - own) });
    ask({ focus: () => byId("add-exclusion").focus() });
  },
  add: () => newChip(byId("chips"), {
    create: (text) => resplit((split) => split.exclusions.push({ text, relation: "open", is_decided: false })),
    cancel: () => renderChips(byId("chips"), answer.reading, chipActions),
  }),
};

function wire() {
  byId("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    query(byId("query").value);
  });
  byId("collection").addEventListener("change", ({ target }) => {
    const isFirst = target.value === service.collections[0].name;
    go({ collection: isFirst ? "" : target.value, split: null, like: [] });
    showExamples();
    if (state.q.trim()) ask();
  });
  for (const radio of document.querySelectorAll("[name=mode]")) {
    radio.addEventListener("change", () => { go({ mode: radio.value }); showRanking({ isMoving: true }); announce(byId("verdict").textContent); });
  }
  const beta = byId("beta");
  beta.addEventListener("input", () => { state.beta = Number(beta.value); showRanking({ isMoving: true }); });
  beta.addEventListener("change", () => { go({ beta: Number(beta.value) }, { isStep: false }); announce(byId("verdict").textContent); });
  byId("beta-default").addEventListener("click", () => { go({ beta: null }, { isStep: false }); showRanking({ isMoving: true }); beta.focus(); });
  for (const radio of document.querySelectorAll("[name=side]")) {
    radio.addEventListener("change", () => { byId("columns").dataset.side = radio.value; });
  }
  for (const view of ["search", "frontier"]) byId(`view-${view}`).addEventListener("click", () => { go({ view }); showView(); draw(); });
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    key.write(byId("key").value.trim());
    byId("key").value = "";
    connect();
  });
  byId("forget-key").addEventListener("click", () => { key.write(""); forget(); connect(); });
  addEventListener("popstate", () => { state = readAddress(location.hash); restore(); });
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); byId("query").focus(); });
  new ResizeObserver(draw).observe(byId("columns"));
  for (const type of ["pointerover", "focusin"]) byId("columns").addEventListener(type, ({ target }) => near(target.closest?.("[data-id]")?.dataset.id));
  byId("columns").addEventListener("pointerleave", () => near(undefined));
}

/** Make the same document stand out on both sides, and its line. */
function near(id) {
  byId("columns").classList.toggle("has-near", id !== undefined);
  for (const each of byId("columns").querySelectorAll("[data-id]")) each.classList.toggle("is-near", each.dataset.id === id);
}

start();

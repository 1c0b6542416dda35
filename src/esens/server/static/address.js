// The state in the address, behind "#": it can be sent to somebody, and no server or proxy writes a query into its log.

export const DEFAULTS = { q: "", collection: "", mode: "soft", beta: null, split: null, like: [], view: "search" };
const MODES = ["soft", "hard", "flag"];
const RELATIONS = ["about", "has", "open"];

export function readAddress(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const beta = given.has("beta") ? Number(given.get("beta")) : NaN;
  const mode = given.get("mode");
  return {
    q: given.get("q") ?? "",
    collection: given.get("in") ?? "",
    mode: MODES.includes(mode) ? mode : "soft",
    beta: beta >= 0 && beta <= 4 ? beta : null,
    split: given.has("want")
      ? { target: given.get("want"), exclusions: given.getAll("not").map(readExclusion).filter(Boolean) }
      : null,
    like: given.getAll("like"),
    view: given.get("view") === "frontier" ? "frontier" : "search",
  };
}

export function writeAddress(state) {
  const parts = new URLSearchParams();
  if (state.view !== "search") parts.set("view", state.view);
  if (state.q) parts.set("q", state.q);
  if (state.collection) parts.set("in", state.collection);
  if (state.mode !== "soft") parts.set("mode", state.mode);
  if (state.beta !== null) parts.set("beta", state.beta);
  if (state.split) {
    parts.set("want", state.split.target);
    for (const each of state.split.exclusions) parts.append("not", writeExclusion(each));
  }
  for (const id of state.like) parts.append("like", id);
  return `#${parts}`;
}

// "has:vinegar", "about!:Mars" where the relation was decided here; an object where there is more to say.
function writeExclusion({ text, relation, is_decided: isDecided, ...rest }) {
  const more = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
  if (Object.keys(more).length) return JSON.stringify({ text, relation, is_decided: isDecided, ...more });
  return `${relation}${isDecided ? "!" : ""}:${text}`;
}

function readExclusion(value) {
  const plain = /^(\w+)(!?):([^]+)$/.exec(value);
  if (plain && RELATIONS.includes(plain[1])) {
    return { text: plain[3], relation: plain[1], is_decided: plain[2] === "!" };
  }
  try {
    const { text, relation, is_decided: isDecided, is_literal: isLiteral, phrase, field } = JSON.parse(value);
    if (typeof text !== "string" || !RELATIONS.includes(relation)) return null;
    return { text, relation, is_decided: Boolean(isDecided), ...(isLiteral && { is_literal: true }),
      ...(phrase && { phrase: String(phrase) }), ...(field && { field: String(field) }) };
  } catch {
    return null;
  }
}

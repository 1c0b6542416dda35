// Why a document counts as excluded or does not, in words, and which of its own words say so.

const isName = (text) => text.slice(0, 1) !== text.slice(0, 1).toLowerCase();
const quoted = (text) => `“${text}”`;

/** What is said of a document beside its rank; nothing where there is nothing to say. */
export function findingOf({ document, share, trap }, { exclusions, relations }) {
  const loss = document.losses[trap];
  if (!loss) return "";
  const name = quoted(exclusions[trap].text);
  const { stance = "silent", kind = "", told_by: teller = "" } = loss.evidence ?? {};
  if (relations[trap] === "like") return likeness(stance, share, name);
  const thing = kind ? `${quoted(kind)}, ${isName(kind) && isName(exclusions[trap].text) ? "which belongs to" : "a kind of"} ${name}` : name;
  const by = teller ? ` (${teller})` : "";
  const has = relations[trap] === "has";
  if (stance === "affirmed" && (has || teller)) return `${has ? "has" : "is about"} ${thing}${by}`;
  if (stance === "denied") return `says it lacks ${thing}${by}`;
  if (stance === "mentioned") return `only mentions ${thing}${by}`;
  if (loss.fixed > 0) return `is titled ${name}`;
  if (share > 0) return has ? `near to ${name}, by its vector` : `is about ${name}`;
  return "";
}

/** Which finding it is, for its colour: "bad" where it costs, "good" where the document denies the thing. */
export function toneOf({ document, share, trap }) {
  if (share > 0) return "bad";
  return document.losses[trap]?.evidence?.stance === "denied" ? "good" : "none";
}

/** The places in title and text that are the evidence: pairs of start and end. */
export function evidenceIn({ document, share, trap }, { exclusions, relations }) {
  const { title, text } = document;
  const loss = document.losses[trap];
  const places = { title: [], text: [] };
  if (!loss || relations[trap] === "like") return places;
  const quote = loss.evidence?.quote ?? "";
  if (quote) {
    // Its place is counted in characters of Python, with a line break between title and text.
    const content = `${title}\n${text}`;
    let start = [...content].slice(0, loss.evidence.start ?? 0).join("").length;
    if (!content.startsWith(quote, start)) start = content.indexOf(quote);
    if (start >= 0) return split(start, start + quote.length, title, places);
  }
  if (!loss.evidence && share > 0) {
    places.title = namesIn(title, exclusions[trap].text);
    places.text = namesIn(text, exclusions[trap].text);
  }
  return places;
}

function likeness(stance, share, name) {
  if (stance === "affirmed") return "is the example itself";
  return share > 0 ? `is like ${name}` : "";
}

function split(start, end, title, places) {
  const offset = title.length + 1;
  if (start < title.length) places.title.push([start, Math.min(end, title.length)]);
  if (end > offset) places.text.push([Math.max(0, start - offset), end - offset]);
  return places;
}

function namesIn(text, name) {
  const words = (name.match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !SMALL.has(word.toLowerCase()));
  if (!words.length) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?:s|es)?(?![\\p{L}\\p{N}])`, "giu");
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
}

const SMALL = new Set(["the", "and", "for", "with", "from", "that", "any", "all"]);

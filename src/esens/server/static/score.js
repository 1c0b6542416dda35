// The score at any beta, over candidates that the service sent with their terms. The same operations in the same order
// as in Python, so that both give the same numbers to the last bit; tests compare them on the same JSON.

/** How far below nothing a document scores that loses all it has, as in Python. */
const LAST = 2 ** -20;

/** What a document loses of its relevance: the greatest share, and for which exclusion. */
export function lossAt(losses, beta) {
  let share = 0, trap = 0;
  losses.forEach((loss, at) => {
    const lost = loss.fixed + Math.min(Math.max(beta * loss.slope, 0), loss.most);
    if (lost > share) [share, trap] = [lost, at];
  });
  return { share, trap };
}

/** Candidates with score, share and rank: the `best` k, the `ranks` of those that no other
    can come before, and what the mode "hard" has `removed`. */
export function rank(candidates, { beta, mode = "soft", k = 10 }) {
  const judged = candidates.documents.map((document) => judge(candidates, document, beta, mode));
  const isPlain = beta === 0 || mode === "flag";
  const found = isPlain || mode === "soft" ? judged : judged.filter((each) => !each.isExcluded);
  const order = withRanks(byDocument(sorted(found, (each) => each.key)));
  const best = order.slice(0, k);
  const isFull = best.length === k;
  const { ceiling } = candidates;
  const known = isPlain || ceiling === null ? order : order.filter((each) => each.key >= ceiling);
  return {
    best,
    ranks: new Map(known.map((each) => [each.document.id, each.rank])),
    removed: mode === "hard" && beta !== 0 ? removedOf(judged, best, k) : [],
    isSettled: isPlain || ceiling === null || (isFull && best[k - 1].key >= ceiling),
  };
}

/** Documents as plain retrieval ranks them, each with its share at this beta. */
export function rankPlainly(candidates, { beta, k = 10 }) {
  const judged = candidates.documents.map((document) => judge(candidates, document, beta, "flag"));
  return withRanks(byDocument(sorted(judged, (each) => each.document.query_similarity)).slice(0, k));
}

function judge({ low, unit, threshold }, document, beta, mode) {
  const { share, trap } = beta === 0 ? { share: 0, trap: 0 } : lossAt(document.losses, beta);
  const penalty = document.relevance * share;
  const isPlain = beta === 0 || mode === "flag";
  const key = isPlain ? document.query_similarity : share >= 1 ? -LAST : document.relevance - penalty;
  return {
    document,
    share,
    trap,
    key,
    penalty: unit * penalty,
    relevance: low + unit * document.relevance,
    score: isPlain ? key : low + unit * key,
    isExcluded: beta !== 0 && share >= threshold,
  };
}

function sorted(judged, key) {
  return [...judged].sort((a, b) => key(b) - key(a)); // which keeps the order of equal ones
}

/** Of passages of one document the first. */
function byDocument(judged) {
  const seen = new Set();
  return judged.filter(({ document: { id } }) => !seen.has(id) && seen.add(id));
}

/** Equal ones share a rank. */
function withRanks(best) {
  best.forEach((each, at) => {
    each.rank = at && best[at - 1].key === each.key ? best[at - 1].rank : at + 1;
  });
  return best;
}

function removedOf(judged, best, k) {
  const found = new Set(best.map(({ document }) => document.id));
  const ranks = best.map(({ document }) => document.rank_before ?? 0);
  const depth = Math.min(Math.max(k, ...ranks), Math.max(k, 100));
  const near = judged.filter(({ document: { id, rank_before: before }, isExcluded }) =>
    isExcluded && !found.has(id) && before !== null && before <= depth);
  return byDocument(sorted(near, (each) => each.document.query_similarity));
}

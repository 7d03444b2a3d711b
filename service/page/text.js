// Places in texts and what they have to do with each other. A place is [start, end) in UTF-16 units, as JavaScript
// counts; the service counts code points.

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’\-.,][\p{L}\p{N}\p{M}]+)*/gu;
const COMPARED_AT_MOST = 1_000_000;

/** A function from a number of code points in `text` to one of UTF-16 units. */
export function units(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (point) => Math.min(point, text.length);
  const starts = [0];
  for (const character of text) starts.push(starts.at(-1) + character.length);
  return (point) => starts[Math.min(point, starts.length - 1)];
}

/** The service's segments, with their places in both texts. Those whose places it does not tell are left out. */
export function placed(source, target, segments) {
  const inSource = units(source);
  const inTarget = units(target);
  return (segments ?? [])
    .filter((one) => Number.isInteger(one.source?.start) && Number.isInteger(one.target?.start))
    .map((one) => ({
      source: [inSource(one.source.start), inSource(one.source.end)],
      target: [inTarget(one.target.start), inTarget(one.target.end)],
      links: (one.alignment ?? []).map(([from, to, start, end]) => ({
        source: [inSource(one.source.start + from), inSource(one.source.start + to)],
        target: [inTarget(one.target.start + start), inTarget(one.target.start + end)],
      })),
      confidence: one.confidence ?? null,
      score: one.reverse_score ?? null,
      flags: one.flags ?? [],
      alternatives: one.alternatives ?? [],
    }));
}

/** The places of all words. */
export function words(text) {
  return Array.from(text.matchAll(WORD), (found) => [found.index, found.index + found[0].length]);
}

/** The place of the word at an offset, or null between words. */
export function wordAt(text, offset) {
  let from = offset;
  while (from > 0 && !/\s/.test(text[from - 1])) from -= 1;
  let to = offset;
  while (to < text.length && !/\s/.test(text[to])) to += 1;
  const place = words(text.slice(from, to)).find(([start, end]) => from + start <= offset && offset <= from + end);
  return place ? [from + place[0], from + place[1]] : null;
}

/** The places on the other side of all links that touch any of `places`. `side` is "source" or "target". */
export function across(segments, side, places) {
  const other = side === "source" ? "target" : "source";
  const touches = (place) => places.some(([start, end]) => start < place[1] && place[0] < end);
  const found = segments
    .filter((segment) => touches(segment[side]))
    .flatMap((segment) => segment.links.filter((link) => touches(link[side])).map((link) => link[other]));
  return joined(found);
}

/** Sorted, each once. */
function joined(places) {
  const unique = new Map(places.map((place) => [place.join(), place]));
  return [...unique.values()].sort((one, two) => one[0] - two[0]);
}

/**
 * Which words of `copy` are not, in this order, in `original`, and how many of the original's words are in the copy.
 * Null where the texts are too long to compare. Case does not count.
 */
export function difference(original, copy) {
  const [left, right] = [original, copy].map((text) =>
    words(text).map((place) => ({ place, word: text.slice(...place).toLowerCase() })),
  );
  const columns = right.length + 1;
  if ((left.length + 1) * columns > COMPARED_AT_MOST) return null;
  const longest = new Uint16Array((left.length + 1) * columns); // common subsequence of what is left of both
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const same = left[i].word === right[j].word;
      longest[i * columns + j] = same
        ? longest[(i + 1) * columns + j + 1] + 1
        : Math.max(longest[(i + 1) * columns + j], longest[i * columns + j + 1]);
    }
  }
  const differing = [];
  for (let i = 0, j = 0; j < right.length; ) {
    if (i < left.length && left[i].word === right[j].word) {
      i += 1;
      j += 1;
    } else if (i < left.length && longest[(i + 1) * columns + j] >= longest[i * columns + j + 1]) {
      i += 1;
    } else {
      differing.push(right[j].place);
      j += 1;
    }
  }
  return { differing, returned: right.length - differing.length, words: left.length };
}

/** What can be shown of a long text on one line. */
export function shortened(text, length = 90) {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), length / 2)).replace(/[\ud800-\udbff]$/, "")}…`;
}

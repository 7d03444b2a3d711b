// Marks on text that leave the text alone: CSS highlights over ranges. A browser without them shows plain text.

const PRIORITIES = { differs: 0, weak: 1, linked: 2, chosen: 3 };
const highlights = "highlights" in CSS
  ? Object.fromEntries(Object.entries(PRIORITIES).map(([name, priority]) => {
      const highlight = new Highlight();
      highlight.priority = priority;
      CSS.highlights.set(name, highlight);
      return [name, highlight];
    }))
  : null;

/** Have exactly these places marked: pairs of an element, which holds one text and nothing else, and a place in it. */
export function mark(name, places) {
  if (!highlights) return;
  highlights[name].clear();
  for (const [element, place] of places) {
    const range = rangeOf(element, place);
    if (range) highlights[name].add(range);
  }
}

/**
 * The offset in an element's text at a point of the window, if there is a character; else null. Where characters are,
 * `twin` tells, which is set exactly as the element is: a textarea does not.
 */
export function offsetAt(element, twin, x, y) {
  const caret = caretAt(x, y);
  if (!caret || (caret.node !== element.firstChild && caret.node !== element)) return null;
  const near = [caret.offset - 1, caret.offset].filter((offset) => offset >= 0);
  return near.find((offset) => covers(twin, [offset, offset + 1], x, y)) ?? null;
}

/** Scroll until a place of an element's text can be seen; `covered` pixels at the bottom of the window cannot. */
export function reveal(element, place, covered = 0) {
  const box = rangeOf(element, place)?.getBoundingClientRect();
  const bottom = window.innerHeight - covered;
  if (!box || (box.top >= 0 && box.bottom <= bottom)) return;
  window.scrollBy({ top: box.top - bottom / 2 });
}

function rangeOf(element, [start, end]) {
  const node = element.firstChild;
  if (!node || start >= end || end > node.length) return null;
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
}

function covers(element, place, x, y) {
  const boxes = Array.from(rangeOf(element, place)?.getClientRects() ?? []);
  return boxes.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
}

function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y);
    return found && { node: found.offsetNode, offset: found.offset };
  }
  const found = document.caretRangeFromPoint?.(x, y);
  return found ? { node: found.startContainer, offset: found.startOffset } : null;
}

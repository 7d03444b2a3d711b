// Plots as SVG: a line over time, with few marks and without a library.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 150;
const LEFT = 36;
const RIGHT = 6;
const TOP = 8;
const BOTTOM = 20;
const DOTS_AT_MOST = 60;

/**
 * Fill a container with figures: caption, latest value, plot. `points` are {at: ms since 1970, value: number or null,
 * missed: boolean}, in the order of time; `threshold` draws a dashed line; `top` is the least upper end of the axis.
 */
export function draw(container, figures) {
  const elements = figures.map(({ caption, latest }) => {
    const element = document.createElement("figure");
    const title = document.createElement("figcaption");
    const value = document.createElement("span");
    value.className = "small";
    value.textContent = latest;
    title.append(caption, value);
    element.append(title);
    return element;
  });
  container.replaceChildren(...elements); // now they have a width
  elements.forEach((element, index) => element.append(plot(figures[index], Math.max(element.clientWidth, 160))));
}

function plot({ points, threshold = null, top = 0, description }, width) {
  const known = points.filter((point) => point.value !== null);
  if (!known.length) {
    const empty = document.createElement("p");
    empty.className = "empty";
    empty.textContent = "Nothing yet.";
    return empty;
  }
  const highest = nice(Math.max(top, threshold ?? 0, ...known.map((point) => point.value)));
  const [from, to] = [points[0].at, points.at(-1).at];
  const [left, right] = [LEFT, width - RIGHT];
  const x = (at) => (from === to ? (left + right) / 2 : left + ((at - from) / (to - from)) * (right - left));
  const y = (value) => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - TOP - BOTTOM);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": description });
  for (const value of [0, highest / 2, highest]) {
    svg.append(drawn("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }));
    svg.append(drawn("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, short(value)));
  }
  for (const [at, anchor] of from === to ? [[from, "middle"]] : [[from, "start"], [to, "end"]]) {
    svg.append(drawn("text", { x: x(at), y: HEIGHT - 4, "text-anchor": anchor }, clock(at)));
  }
  if (threshold !== null) {
    svg.append(drawn("line", { class: "threshold", x1: left, x2: right, y1: y(threshold), y2: y(threshold) }));
  }
  const found = stretches(points);
  for (const stretch of found) {
    const line = `M${stretch.map((point) => `${x(point.at).toFixed(1)} ${y(point.value).toFixed(1)}`).join("L")}`;
    const close = `L${x(stretch.at(-1).at).toFixed(1)} ${y(0)}L${x(stretch[0].at).toFixed(1)} ${y(0)}Z`;
    if (threshold === null) svg.append(drawn("path", { class: "area", d: line + close }));
    svg.append(drawn("path", { class: "line", d: line }));
  }
  const all = threshold !== null && known.length <= DOTS_AT_MOST;
  const alone = new Set(found.filter((stretch) => stretch.length === 1).flat()); // they make no line
  for (const point of known.filter((one) => all || one.missed || alone.has(one))) {
    svg.append(drawn("circle", { class: point.missed ? "missed" : "dot", cx: x(point.at), cy: y(point.value), r: 3.5 }));
  }
  return svg;
}

/** Runs of points that have a value. */
function stretches(points) {
  const found = [[]];
  for (const point of points) {
    if (point.value === null) found.push([]);
    else found.at(-1).push(point);
  }
  return found.filter((stretch) => stretch.length);
}

function drawn(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** The next number at which an axis may end. */
function nice(value) {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 6, 8, 10].find((step) => step * size >= value * 0.999) * size;
}

function short(value) {
  return value >= 10_000 ? `${(value / 1000).toLocaleString("en")} k` : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

export function clock(at) {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

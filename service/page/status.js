// The page that shows how the service does: asks for status.json every few seconds while it can be seen.

import { clock, draw } from "./plot.js?v=0";

const EVERY_MS = 5000;
const PATIENCE_MS = 10_000;
const RECENT_STEPS = 12; // a minute
const NAMES = { "en-de": "English to German and back", "de-en": "German to English and back" };
const ROUND_TRIP = {
  pending: "the first round trip is not done yet",
  ok: "the last round trip was good",
  degraded: "the last round trip was worse than the bundle allows",
  failed: "the last round trip did not end",
};

const $ = (id) => document.getElementById(id);
let last = null; // report
let shown = ""; // the verdict: said aloud only when it changes

async function ask() {
  const response = await fetch("status.json", { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function show(report) {
  last = report;
  const ready = report.status === "ready";
  const worried = ["degraded", "failed"].includes(report.round_trip.status);
  verdict(ready ? (worried ? "Ready, but translations are worse than they should be" : "Ready") : "Not ready",
    ready && !worried ? "ready" : "unready", report.reasons);
  const { engine } = report;
  $("about").textContent = [
    `${report.bundle} on ${engine.provider.toUpperCase()}, ${engine.precision}, ${counted(engine.threads, "thread")}`,
    ROUND_TRIP[report.round_trip.status],
    `release ${report.version}, up for ${duration(report.uptime_s)}`,
  ].join(" · ");
  showFigures(report);
  showPlots(report);
}

/** As wide as there is room: all that a change of the window's size changes. */
function showPlots(report) {
  showTrips(report.round_trip);
  showWork(report.activity);
}

function verdict(text, kind, reasons) {
  const said = [text, ...reasons].join();
  if (said === shown) return;
  shown = said;
  $("verdict").textContent = text;
  $("verdict").closest("section").className = `verdict ${kind}`;
  $("reasons").replaceChildren(...reasons.map((reason) => made("li", reason)));
  $("reasons").hidden = !reasons.length;
}

function showFigures({ queue, activity }) {
  const recent = activity.steps.slice(-RECENT_STEPS);
  const mean = (name) => (recent.length ? recent.reduce((sum, step) => sum + step[name], 0) / recent.length : null);
  const last = activity.steps.findLast((step) => step.median_ms !== null);
  $("waiting").textContent = number(queue.tokens);
  $("waiting-more").textContent = `tokens, of ${number(queue.limit_tokens)}` +
    (queue.sentences ? `; ${counted(queue.sentences, "sentence")}, the oldest for ${duration(queue.oldest_age_s)}` : "");
  $("sentences").textContent = number(mean("sentences_per_s"));
  $("sentences-more").textContent = `${number(mean("tokens_per_s"))} tokens a second`;
  $("requests").textContent = number(mean("requests_per_s"));
  $("requests-more").textContent = "mean of the last minute";
  const median = last ? `${number(last.median_ms)} ms` : "";
  const now = recent.includes(last);
  $("median").textContent = now ? median : "–";
  $("median-more").textContent = now ? `19 of 20 within ${number(last.p95_ms)} ms`
    : last ? `${median} at ${clock(Date.parse(last.at))}` : "no request yet";
}

function showTrips({ runs }) {
  draw($("trips"), Object.entries(NAMES).map(([direction, caption]) => {
    const points = runs.map((run) => {
      const result = run.directions[direction];
      return { at: Date.parse(run.finished_at), value: result?.chrf ?? null, missed: result?.status === "degraded" };
    });
    const last = runs.findLast((run) => run.directions[direction])?.directions[direction];
    return {
      caption,
      latest: last ? `chrF ${last.chrf.toFixed(1)}` : "",
      points,
      threshold: last?.min_chrf ?? null,
      top: 100,
      description: last
        ? `chrF of ${counted(runs.length, "run")}: last ${last.chrf.toFixed(1)}, at least ${last.min_chrf} is required.`
        : "No run yet.",
    };
  }));
  $("trips-details").hidden = !runs.length;
  if ($("trips-table").dataset.last !== runs.at(-1)?.finished_at) showTable(runs);
}

function showTable(runs) {
  $("trips-table").dataset.last = runs.at(-1)?.finished_at ?? "";
  const head = made("tr", ...["Time", "Bundle", "Direction", "chrF", "BLEU", "Exact", "Merely copied", "Verdict"].map((name) => {
    const cell = made("th", name);
    cell.scope = "col";
    return cell;
  }));
  const rows = runs.toReversed().flatMap((run) => {
    const time = clock(Date.parse(run.finished_at));
    const results = Object.entries(run.directions);
    if (!results.length) return [made("tr", ...[time, run.bundle, "", "", "", "", ""].map((text) => made("td", text)), missed("did not end"))];
    return results.map(([direction, result]) => made("tr",
      ...[time, run.bundle, direction, result.chrf.toFixed(1), result.bleu.toFixed(1), percent(result.exact_match), percent(result.copy_rate)]
        .map((text) => made("td", text)),
      result.failures.length ? missed(result.failures.join("; ")) : made("td", "ok")));
  });
  $("trips-table").replaceChildren(made("thead", head), made("tbody", ...rows));
}

function showWork({ steps }) {
  const series = (name) => steps.map((step) => ({ at: Date.parse(step.at), value: step[name], missed: false }));
  const plots = [
    ["Sentences a second", "sentences_per_s", ""],
    ["Requests a second", "requests_per_s", ""],
    ["Tokens waiting", "queue_tokens", ""],
    ["Median answer in ms", "median_ms", " ms"],
  ];
  draw($("work"), plots.map(([caption, name, unit]) => {
    const points = series(name);
    const values = points.map((point) => point.value).filter((value) => value !== null);
    const most = values.length ? `at most ${number(Math.max(...values))}${unit}` : "";
    return { caption, latest: most, points, description: `${caption}: ${most || "nothing yet"}.` };
  }));
}

function missed(text) {
  const cell = made("td", text);
  cell.className = "missed";
  return cell;
}

function made(name, ...content) {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function number(value) {
  if (value === null) return "–";
  const digits = value < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: value < 10 ? 1 : 0 };
  return value.toLocaleString("en", digits); // light traffic is not none
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

function duration(seconds) {
  if (seconds < 60) return `${number(seconds)} s`;
  if (seconds < 3600) return counted(Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return counted(Math.floor(seconds / 3600), "hour");
  return counted(Math.floor(seconds / 86_400), "day");
}

async function update() {
  try {
    show(await ask());
  } catch {
    verdict("The service does not answer", "unready", last ? ["What is shown below is of the last time that it did."] : []);
  }
  setTimeout(next, EVERY_MS);
}

/** Nobody needs figures while the page cannot be seen. */
function next() {
  if (document.hidden) document.addEventListener("visibilitychange", next, { once: true });
  else update();
}

window.addEventListener("resize", () => last && showPlots(last));
update();

// Asks the service, and says in words what went wrong.

import { kept } from "./memory.js?v=0";

const PATIENCE_MS = 65_000; // the service gives up earlier, unless it is told otherwise
const AGAIN_AT_MOST_S = 30;
const SOON_S = 5; // where nobody says how long to wait
const STREAMED_FROM = 1200; // characters
const DETECTED_FROM = 1000; // characters at the beginning
const SURE = 70; // of 100
const EVENT_STREAM = "text/event-stream";
const REFUSED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu; // controls and lone surrogates: what no text has, and nobody can see

/** Why there is no translation. `retryAfterS` is set where trying again by itself makes sense. */
export class Failure extends Error {
  constructor(title, detail, { needsKey = false, again = true, retryAfterS = null } = {}) {
    super(title);
    Object.assign(this, { title, detail, needsKey, again, retryAfterS });
  }
}

/**
 * Translate one text. Returns its translation as the service has it, and `ms`: the whole wait, and what the model took,
 * if that is known. Of a long text `onSegments` is called with the segments that are done, in the order of the text,
 * whenever there are more. Throws a Failure, or what `signal` was aborted with.
 */
export async function translate(text, { direction, quality = "fast", alternatives = 0, onSegments = null }, signal) {
  const query = new URLSearchParams({ dir: direction, quality, details: "true" });
  if (alternatives) query.set("alternatives", alternatives);
  const started = performance.now();
  const streamed = onSegments && text.length >= STREAMED_FROM;
  const response = await send(`translate?${query}`, { text: clean(text) }, streamed ? EVENT_STREAM : "application/json", signal);
  try {
    const answer = streamed ? await followed(response, onSegments) : await response.json();
    const ms = { wait: performance.now() - started, model: modelTime(response.headers.get("Server-Timing") ?? "") };
    return { ...answer.translations[0], ms };
  } catch (error) {
    if (signal.aborted || error instanceof Failure) throw error;
    throw new Failure("The answer broke off.", "The service may have been stopped. Try again.");
  }
}

/** The language of a text, "en" or "de", where the service is sure of it. Not to know it is no failure. */
export async function languageOf(text, signal) {
  try {
    const response = await send("detect", { q: clean(text.slice(0, DETECTED_FROM)) }, "application/json", signal);
    const [found] = await response.json();
    return found.confidence >= SURE ? found.language : null;
  } catch {
    return null;
  }
}

/** How many characters a text may have; null where the service does not say. */
export async function limit() {
  const answer = await fetch("./", { headers: { Accept: "application/json" } }).catch(() => null);
  const index = await answer?.json().catch(() => null);
  return index?.max_characters ?? null;
}

/** The whole answer, at the end of a stream of segments. */
async function followed(response, onSegments) {
  const segments = [];
  for await (const { event, data } of events(response.body)) {
    if (event === "done") return data;
    if (event === "error") throw failure(data.status, data, NaN, "");
    segments.push(data);
    segments.sort((one, two) => one.source.start - two.source.start);
    onSegments(segments);
  }
  throw new Error("the stream has no end");
}

/** Server-sent events, as this service writes them: each has one line of data, and that is JSON. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let left = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const whole = (left + part.value).split("\n\n");
    left = whole.pop();
    for (const one of whole) {
      const fields = Object.fromEntries(one.split("\n").map((line) => line.split(/: ?(.*)/s, 2)));
      if (fields.data) yield { event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

const clean = (text) => text.replace(REFUSED, " "); // one for one: places stay what they are

async function send(path, body, accept, signal) {
  const key = kept("key");
  if (/[^!-~]/.test(key)) throw failure(401, {}, NaN, key); // no key has such characters, and no header may
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { Accept: accept, "Content-Type": "application/json", ...(key && { "X-API-Key": key }) },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const retryAfterS = error.name === "TimeoutError" ? null : SOON_S;
    throw new Failure("The service does not answer.", "Is it running, and is there a connection to it?", { retryAfterS });
  }
  if (response.ok) {
    const type = (response.headers.get("Content-Type") ?? "").toLowerCase();
    if (type.startsWith(accept)) return response;
    const found = type.includes("html") ? "A web page came instead, perhaps one to sign in with" : "Something else came instead";
    throw new Failure("The answer is not from this service.", `${found}. Load this page again.`);
  }
  const problem = (await response.json().catch(() => null)) ?? {};
  throw failure(response.status, problem, Number(response.headers.get("Retry-After")), key);
}

function failure(status, problem, after, key) {
  const detail = sentence(problem.errors?.[0]?.detail ?? problem.detail ?? "");
  const kind = String(problem.type ?? "").split(":").at(-1);
  const retryAfterS = after > 0 && after <= AGAIN_AT_MOST_S ? after : null;
  switch (status) {
    case 401:
      return new Failure(key ? "This key is not valid." : "This service asks for a key.", "", {
        needsKey: true,
        again: false,
      });
    case 408:
      return new Failure("The text did not arrive in time.", "The connection may be slow. Try again.");
    case 413:
      return new Failure("This text is too long.", detail, { again: false });
    case 422:
      return new Failure("This text cannot be translated.", detail, { again: false });
    case 429:
      return kind === "rate-limited"
        ? new Failure("This is more than you may have translated for now.", detail, { retryAfterS })
        : new Failure("The service is busy.", "", { retryAfterS });
    case 502: // of a proxy
      return new Failure("The service does not answer.", "It may be starting, or stopped.", { retryAfterS: SOON_S });
    case 503:
      return new Failure("The service cannot translate at the moment.", detail, { retryAfterS });
    case 504:
      return new Failure("This took too long.", "A shorter text may do, or quality “Fast”.");
    default:
      if (status < 500) return new Failure("This was refused.", detail || `The answer has status ${status}.`);
      return new Failure(
        "Something went wrong in the service.",
        problem.request_id ? `Its log has it under ${problem.request_id}.` : `The answer has status ${status}.`,
      );
  }
}

function sentence(text) {
  if (typeof text !== "string") return ""; // others than this service put anything there
  return text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Milliseconds in the network, whatever the quality; null where the header does not tell. */
function modelTime(serverTiming) {
  const parts = [...serverTiming.matchAll(/\b(inference|search|score);dur=([\d.]+)/g)];
  return parts.length ? parts.reduce((sum, part) => sum + Number(part[2]), 0) : null;
}

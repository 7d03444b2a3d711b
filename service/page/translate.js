// The page that translates: what is typed goes to the service, its translation is sent back through the same network.

import { mark, offsetAt, reveal } from "./marks.js?v=0";
import { keep, kept } from "./memory.js?v=0";
import { Failure, languageOf, limit, translate } from "./service.js?v=0";
import { across, difference, placed, shortened, units, wordAt, words } from "./text.js?v=0";
import { EXAMPLES, NAMES, REASONS } from "./wording.js?v=0";

const PAUSE_MS = 250; // in typing, before a short text is sent; longer texts wait longer
const CHARACTERS_PER_MS = 20;
const PAUSE_AT_MOST_MS = 1000;
const UNDOABLE_LINES = 100; // the time that browsers take goes with the square
const NEAR = 0.8; // of what a text may have at most
const ALTERNATIVES = 3;
const LISTED_AT_MOST = 6;
const AGAIN_AT_MOST = 3;
const QUIET_MS = 900; // before a screen reader is told
const DIRECTIONS = { "#en-de": ["en", "de"], "#de-en": ["de", "en"] };

const $ = (id) => document.getElementById(id);
const source = $("source");
const mirror = $("mirror");
const target = $("target");
const reconstruction = $("reconstruction");
const inspector = $("inspector");

const NOTHING = { asked: "", text: "", translation: "", back: "", there: [], home: [] };
/** What is shown: three texts, and the segments between the first two and the last two. */
let shown = NOTHING;
let direction = ["en", "de"];
let pinned = null; // the places that stay marked when the pointer leaves
let current = -1; // the word of the translation that the arrow keys stand on
let work = new AbortController();
let timer = 0;
let announcement = 0;
let failures = 0;
let drawn = 0; // the frame that shows a part
let told = {}; // what the inspector says, and of which segment
let most = Infinity; // characters that a text may have

// ------------------------------------------------------------------------------------------ translating

/** What the mirror holds when it holds this text: a last line break has a line of its own in a textarea only. */
const mirrored = (text) => `${text}\n`;

function edited(event) {
  mirror.textContent = mirrored(source.value);
  $("examples").hidden = $("clear").hidden = false;
  $(source.value ? "examples" : "clear").hidden = true;
  $("count").hidden = !source.value;
  showCount();
  keep("text", source.value);
  failures = 0;
  pin(null);
  const whole = /^insertFrom(Paste|Drop)$/.test(event?.inputType); // nobody goes on typing
  schedule(whole ? 0 : Math.min(PAUSE_MS + source.value.length / CHARACTERS_PER_MS, PAUSE_AT_MOST_MS));
}

/** How long the text is, as the service counts, and how long it may be, where it comes near that. */
function showCount() {
  const length = source.value.length - (source.value.match(/[\ud800-\udbff]/g)?.length ?? 0);
  const told = length.toLocaleString("en");
  $("count").textContent = length > NEAR * most ? `${told} of ${most.toLocaleString("en")} characters`
    : `${told} character${length === 1 ? "" : "s"}`;
  $("count").classList.toggle("over", length > most);
}

function schedule(ms) {
  work.abort();
  clearTimeout(timer);
  clearTimeout(announcement);
  cancelAnimationFrame(drawn);
  if (!source.value.trim()) {
    show(NOTHING);
    return;
  }
  setStale(true);
  timer = setTimeout(run, ms);
}

/** Translate what is there, and its translation back. Whatever is typed meanwhile ends it. */
async function run() {
  clearTimeout(timer);
  work.abort();
  work = new AbortController();
  const { signal } = work;
  const text = source.value;
  const [from, to] = direction;
  const quality = document.querySelector("[name=quality]:checked").value;
  const alternatives = quality === "fast" ? 0 : ALTERNATIVES;
  setStale(true);
  try {
    const asked = [text, from, quality].join("\n");
    if (shown.asked === asked) {
      show(shown); // at most its way back is missing
    } else {
      const options = { direction: `${from}-${to}`, quality, alternatives, onSegments: (segments) => showPart(text, segments) };
      const there = await translate(text, options, signal);
      const segments = placed(text, there.text, there.segments);
      show({ ...NOTHING, asked, text, translation: there.text, there: segments, ms: there.ms });
    }
    if (shown.translation.trim() && !shown.back) {
      const home = await translate(shown.translation, { direction: `${to}-${from}` }, signal);
      show({ ...shown, back: home.text, home: placed(shown.translation, home.text, home.segments) });
    }
    failures = 0;
    const other = misread() && (await languageOf(text, signal)) === to;
    if (signal.aborted) return;
    if (other) $("other").hidden = false;
    else putAway($("other"));
    announcement = setTimeout(announce, QUIET_MS);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Failure)) throw error;
    tell(error);
  }
}

/** Whether so little of the text returns that it may be in the other language. */
function misread() {
  const found = shown.back && difference(shown.text, shown.back);
  if (found) return 2 * found.returned <= found.words || shown.translation.trim() === shown.text.trim();
  return 2 * doubtful().length > shown.there.length;
}

/** The segments that the service has doubts about. */
const doubtful = () => shown.there.filter((segment) => segment.flags.length);

function announce() {
  const verdict = doubtful().length ? ` ${doubtful().length} of ${shown.there.length} sentences should be looked at again.` : "";
  const other = $("other").hidden ? "" : ` ${$("other-name").textContent}`;
  $("said").textContent = `Translated into ${NAMES[direction[1]]}.${verdict}${other}`;
}

function tell(failure) {
  const retryAfterS = failures < AGAIN_AT_MOST ? failure.retryAfterS : null;
  failures += 1;
  cancelAnimationFrame(drawn);
  if (shown === NOTHING) setStale(false);
  else if (shown.text !== source.value) show(NOTHING); // nobody should take it for what was asked for
  $("timing").textContent = timing(shown.ms);
  if (failure.needsKey) askForKey(failure.title);
  $("problem-title").textContent = failure.title;
  $("problem-detail").textContent = retryAfterS ? `${failure.detail} Trying again in ${retryAfterS} s.` : failure.detail;
  if (failure.again) $("retry").hidden = false;
  else putAway($("retry"));
  if (failure.needsKey) putAway($("problem"));
  else $("problem").hidden = false;
  if (retryAfterS) timer = setTimeout(run, retryAfterS * 1000);
}

/** Those who have just given a key, or ask again, get the field; who is typing a text goes on with it. */
function askForKey(title) {
  const waiting = [$("key-form"), $("problem")].some((element) => element.contains(document.activeElement));
  if (waiting || $("key-name").textContent !== title) $("key-name").textContent = title; // which says it aloud
  $("key-form").hidden = false;
  if (waiting) $("key").focus();
}

/** Hide an element. If the focus is in it, it goes to the text: else it would be lost. */
function putAway(element) {
  if (element.contains(document.activeElement)) source.focus();
  element.hidden = true;
}

// ---------------------------------------------------------------------------------------------- showing

function show(next) {
  const same = next.there === shown.there; // what was chosen in it stays so
  shown = next;
  if (!same) current = -1;
  target.textContent = shown.translation;
  reconstruction.textContent = shown.back;
  setStale(false);
  $("back").hidden = !shown.back;
  if (shown.translation) $("copy").hidden = false;
  else putAway($("copy"));
  putAway($("problem"));
  if (shown.translation) putAway($("key-form"));
  if (!shown.text) putAway($("other"));
  $("timing").textContent = timing(shown.ms);
  showDifference();
  showDoubts();
  pin(same && pinned && !pinned.segment ? chosenFrom(pinned.element, pinned.place) : same ? pinned : null);
}

/** What is shown is not, or not yet, the translation of what is asked for: it can be read, but not taken for it. */
function setStale(stale) {
  target.classList.toggle("stale", stale);
  $("back").classList.toggle("stale", stale);
  $("copy").disabled = stale;
  if (stale) $("timing").textContent = "Translating…";
}

/** Show what is done of a long text, at most once a frame; a gap stands for what is not. */
function showPart(text, segments) {
  cancelAnimationFrame(drawn);
  drawn = requestAnimationFrame(() => {
    if (!target.classList.contains("stale") || source.value !== text) return; // it has come, or is not wanted any more
    const at = units(text);
    let end = 0;
    let done = 0;
    const parts = segments.flatMap((segment) => {
      const gap = text.slice(at(end), at(segment.source.start));
      end = segment.source.end;
      done += end - segment.source.start;
      return [gap.trim() ? " … " : gap, segment.target.text];
    });
    show({ ...NOTHING, translation: parts.join("") });
    setStale(true);
    $("timing").textContent = `${Math.round((100 * at(done)) / text.length)} % is translated`;
  });
}

function timing(ms) {
  if (!ms) return "";
  const model = ms.model === null ? "" : `, ${Math.round(ms.model)} of them in the model`;
  return `${Math.round(ms.wait)} ms${model}`;
}

function showDifference() {
  const found = shown.back ? difference(shown.text, shown.back) : null;
  mark("differs", (found?.differing ?? []).map((place) => [reconstruction, place]));
  $("returned").textContent = found?.words ? `${found.returned} of ${found.words} words return` : "";
}

/** Mark the segments that the service has doubts about, and list them for those who cannot see marks. */
function showDoubts() {
  const found = doubtful();
  mark("weak", found.map((segment) => [target, segment.target]));
  $("weak").hidden = !found.length;
  const items = found.slice(0, LISTED_AT_MOST).map((segment) => {
    const quote = made("q", shortened(shown.translation.slice(...segment.target)));
    quote.lang = direction[1];
    const reasons = segment.flags.map((flag) => REASONS[flag] ?? `Marked “${flag}”.`).join(" ");
    const button = made("button", quote, " ", made("span", reasons));
    button.type = "button";
    button.lastChild.className = "small";
    button.addEventListener("click", () => chooseSegment(segment));
    return made("li", button);
  });
  const more = found.length - items.length;
  if (more > 0) items.push(made("li", made("p", `And ${more} more, underlined above.`)));
  $("weak-list").replaceChildren(...items);
}

function made(name, ...content) {
  const element = document.createElement(name);
  element.append(...content);
  return element;
}

// --------------------------------------------------------------------------------------------- aligning

/** Mark a word of one of the three texts, and what it became or came from in the others. */
function chosenFrom(element, place) {
  const places = { [element.id]: [place] };
  if (element === mirror) {
    places.target = across(shown.there, "source", [place]);
    places.reconstruction = across(shown.home, "source", places.target);
  } else if (element === target) {
    places.mirror = across(shown.there, "target", [place]);
    places.reconstruction = across(shown.home, "source", [place]);
  } else {
    places.target = across(shown.home, "target", [place]);
    places.mirror = across(shown.there, "target", places.target);
  }
  return { element, place, places };
}

function chooseSegment(segment) {
  const places = {
    mirror: [segment.source],
    target: [segment.target],
    reconstruction: across(shown.home, "source", [segment.target]),
  };
  pin({ element: target, place: segment.target, places, segment });
  sayChoice();
  reveal(target, segment.target, covered());
}

/** Only what is chosen on purpose is said aloud: the inspector follows the pointer and the caret, too. */
function sayChoice() {
  $("said").textContent = inspector.textContent.split("\n", 1)[0];
}

/** Mark what was chosen; null marks what is pinned, if anything is. */
function choose(choice) {
  const marked = choice ?? pinned;
  const all = Object.entries(marked?.places ?? {}).flatMap(([id, places]) => places.map((place) => [$(id), place]));
  const own = ([element, place]) => element === marked.element && place === marked.place;
  mark("chosen", all.filter(own));
  mark("linked", all.filter((one) => !own(one)));
  inspect(marked);
}

/** Mark it until something else is pinned, or null. */
function pin(choice) {
  pinned = choice;
  choose(choice);
}

function inspect(choice) {
  inspector.classList.toggle("stays", choice !== null);
  inspector.classList.toggle("pinned", pinned !== null);
  if (!choice) {
    tellOf(hint());
    return;
  }
  const text = { mirror: shown.text, target: shown.translation, reconstruction: shown.back };
  const quoted = (id) => (choice.places[id] ?? []).map((place) => `“${shortened(text[id].slice(...place), 40)}”`).join(" ");
  const [from, to] = direction;
  const parts = [
    [NAMES[from], quoted("mirror")],
    [NAMES[to], quoted("target")],
    ["read back", quoted("reconstruction")],
  ];
  const inside = ([start, end]) => start <= choice.place[0] && choice.place[0] < end;
  const side = choice.element === mirror ? "source" : "target";
  const segment = choice.segment ??
    (choice.element === reconstruction ? null : shown.there.find((one) => inside(one[side])));
  const lines = choice.segment ? [] : [parts.filter(([, words]) => words).map(([name, words]) => `${name} ${words}`).join(" → ")];
  if (segment) lines.push(...aboutSegment(segment));
  tellOf(lines.join("\n"), segment);
}

/** How much of the window's bottom the inspector and a problem cover: on narrow ones only while there is need. */
const coveredByLow = () => (getComputedStyle($("low")).position === "sticky" ? $("low").getBoundingClientRect().height : 0);

/** The same, with the foot of a text. */
const covered = () => coveredByLow() + $("copy").parentElement.offsetHeight;

/** Have the feet, and what the browser scrolls to, stay above what is covered. */
function makeRoom() {
  document.documentElement.style.setProperty("--covered", `${coveredByLow()}px`);
}

/** Have the inspector say this. Where that is more than it has room for, it can be scrolled by keyboard, too. */
function tellOf(text, segment = null) {
  if (told.text === text && told.segment === segment) return;
  told = { text, segment };
  const focused = inspector.contains(document.activeElement);
  inspector.textContent = text;
  inspector.append(...(segment?.alternatives ?? []).map((other) => {
    const button = made("button", "or: ", made("span", other));
    button.type = "button";
    button.lastChild.lang = direction[1];
    button.addEventListener("click", () => take(segment, other));
    return button;
  }));
  if (focused) target.focus({ preventScroll: true });
  inspector.scrollTop = 0;
  inspector.toggleAttribute("tabindex", false);
  if (inspector.scrollHeight > inspector.clientHeight) inspector.tabIndex = 0;
  makeRoom();
}

function hint() {
  const [from, to] = direction.map((language) => NAMES[language]);
  if (!shown.text) return "";
  if (shown.translation.trim() === shown.text.trim()) return `Nothing has changed. If this is ${to} and not ${from}, switch the direction.`;
  return "Point at a word, or tap it, to see what became of it.";
}

function aboutSegment(segment) {
  const percent = (share) => `${Math.round(share * 100)} %`;
  const facts = [`Sentence ${shown.there.indexOf(segment) + 1} of ${shown.there.length}`];
  if (segment.score !== null) facts.push(`read-back score ${percent(segment.score)}`);
  if (segment.confidence !== null) facts.push(`confidence ${percent(segment.confidence)}`);
  return [facts.join(" · ")];
}

/** Put another translation of a sentence in its place, which it takes in turn, and read the whole back anew. */
function take(segment, text) {
  const [start, end] = segment.target;
  const longer = text.length - (end - start);
  const moved = ([from, to]) => [from + longer, to + longer];
  const there = shown.there.map((one) => {
    if (one !== segment) {
      const links = one.links.map((link) => ({ ...link, target: moved(link.target) }));
      return one.target[0] < end ? one : { ...one, target: moved(one.target), links };
    }
    const alternatives = one.alternatives.map((other) => (other === text ? shown.translation.slice(start, end) : other));
    // What was found out about the other is not known of this.
    return { ...one, target: [start, end + longer], links: [], confidence: null, score: null, flags: [], alternatives };
  });
  const translation = shown.translation.slice(0, start) + text + shown.translation.slice(end);
  show({ ...shown, translation, back: "", home: [], there });
  chooseSegment(there.find((one) => one.target[0] === start));
  current = words(translation).findIndex(([at]) => at >= start);
  schedule(0);
}

// ---------------------------------------------------------------------------------------------- actions

function setDirection(from, to) {
  direction = [from, to];
  $("source-name").textContent = NAMES[from];
  $("target-name").textContent = NAMES[to];
  $("back-name").textContent = `Read back in ${NAMES[from]}`;
  $("other-name").textContent = `This looks ${NAMES[to]}.`;
  $("turn").textContent = `Translate it into ${NAMES[from]}`;
  source.lang = reconstruction.lang = from;
  target.lang = to;
  $("switch").classList.toggle("turned", from === "de");
  $("examples").replaceChildren(...EXAMPLES[from].map((text) => {
    const button = made("button", text);
    button.type = "button";
    button.lang = from;
    button.addEventListener("click", () => replaceText(text));
    return button;
  }));
  history.replaceState(null, "", `#${from}-${to}`);
  keep("direction", location.hash);
  show(NOTHING); // it was of the other direction
}

/** Go another way with the same text. */
function turn(from, to) {
  if (from === direction[0]) return;
  setDirection(from, to);
  schedule(0);
}

/** Put this in the place of what is written, in such a way that the browser can undo it. */
function write(text) {
  source.focus({ preventScroll: true });
  source.select();
  if (text.split("\n").length <= UNDOABLE_LINES) document.execCommand(text ? "insertText" : "delete", false, text);
  if (source.value === text) return;
  source.value = text;
  edited();
}

function replaceText(text) {
  write(text);
  schedule(0);
}

function switchDirection() {
  // What is shown may be of an earlier text, or not all there yet: what was typed since must not be lost.
  const text = (source.value === shown.text && shown.translation) || source.value;
  const focused = document.activeElement;
  const top = window.scrollY;
  write(text);
  setDirection(direction[1], direction[0]);
  if (focused === document.body) source.blur(); // some browsers give buttons no focus
  else focused.focus({ preventScroll: true });
  window.scrollTo({ top });
  schedule(0);
}

async function copy() {
  let done = await navigator.clipboard?.writeText(shown.translation).then(() => true, () => false);
  if (!done) { // pages without TLS may only copy what is selected
    getSelection().selectAllChildren(target);
    done = document.execCommand("copy");
  }
  $("copy").textContent = done ? "Copied" : "Selected";
  $("said").textContent = done ? "Copied" : "The translation is selected";
  setTimeout(() => ($("copy").textContent = "Copy"), 2000);
}

/** The arrow keys go through the words of the translation. */
function walk(event) {
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  if (event.key === "Escape") pin(null);
  if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const places = words(shown.translation);
  if (!places.length) return;
  event.preventDefault();
  current = Math.max(0, Math.min(places.length - 1, current + steps[event.key]));
  pin(chosenFrom(target, places[current]));
  sayChoice();
  reveal(target, places[current], covered());
}

function wordUnder(event, element, text) {
  const offset = offsetAt(element === mirror ? source : element, element, event.clientX, event.clientY);
  const place = offset === null ? null : wordAt(text(), offset);
  return place && chosenFrom(element, place);
}

function follow(area, element, text) {
  let frame = 0;
  area.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => choose(wordUnder(event, element, text)));
  });
  area.addEventListener("pointerleave", () => {
    cancelAnimationFrame(frame);
    choose(null);
  });
  area.addEventListener("click", (event) => {
    const choice = wordUnder(event, element, text);
    pin(choice);
    if (choice) reveal(element, choice.place, covered());
  });
}

function start() {
  const qualities = document.getElementsByName("quality");
  setDirection(...(DIRECTIONS[location.hash] ?? DIRECTIONS[kept("direction")] ?? direction));
  for (const choice of qualities) if (choice.value === kept("quality")) choice.checked = true;
  source.value ||= kept("text"); // some browsers put it back themselves when a page is loaded again
  source.addEventListener("input", edited);
  source.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    target.focus();
    if (source.value !== shown.text) schedule(0);
  });
  document.addEventListener("keydown", (event) => {
    // The key, not its place: on a Mac Option and S write "ß".
    if (event.altKey && event.key.toLowerCase() === "s" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      switchDirection();
    }
  });
  document.addEventListener("selectionchange", () => {
    if (document.activeElement !== source || source.value !== shown.text || !shown.translation) return;
    const place = source.selectionStart === source.selectionEnd ? wordAt(shown.text, source.selectionStart) : null;
    pin(place && chosenFrom(mirror, place));
  });
  target.addEventListener("keydown", walk);
  follow($("field"), mirror, () => (source.value === shown.text ? shown.text : ""));
  follow(target, target, () => shown.translation);
  follow(reconstruction, reconstruction, () => shown.back);
  $("switch").addEventListener("click", switchDirection);
  $("clear").addEventListener("click", () => replaceText(""));
  $("copy").addEventListener("click", copy);
  $("turn").addEventListener("click", () => turn(direction[1], direction[0]));
  $("retry").addEventListener("click", () => schedule(0));
  $("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keep("key", $("key").value.trim());
    if (source.value.trim()) schedule(0); // the focus stays here until the key has done what it is for
    else source.focus();
  });
  new ResizeObserver(makeRoom).observe($("low"));
  for (const choice of qualities) choice.addEventListener("change", () => {
    keep("quality", choice.value);
    schedule(0);
  });
  edited();
  limit().then((characters) => {
    most = characters ?? most;
    showCount();
  });
  window.addEventListener("hashchange", () => turn(...(DIRECTIONS[location.hash] ?? direction)));
  window.addEventListener("pageshow", () => {
    if (mirror.textContent !== mirrored(source.value)) edited(); // and put it back later when one comes back to it
  });
}

start();

// One line at the top: no network, answers waiting, a service that does not answer, and what
// became of answers after the learner had gone on.

import { Problem } from "./api.js";
import { add, fill, find, h } from "./dom.js";
import { flush, getTrouble, isOver, listWaiting, onChange, onOutcome } from "./outbox.js";
import { isFragile } from "./store.js";
import { t } from "./text.js";

/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;
/** Answers that were sent, or refused, when their question had left the screen.
 * @type {{session: string, numSent: number, refused: number[]}} */
let late = { session: "", numSent: 0, refused: [] };

export function watchNetwork() {
  onChange(refresh);
  onOutcome(({ entry, state, isShown }) => {
    if (state === "kept" || isShown) return;
    late.session = entry.session;
    if (state === "sent") late.numSent += 1;
    else late.refused.push(entry.position);
  });
  addEventListener("online", refresh);
  refresh();
}

/** Forget the notes about late answers, once their feedback is on the screen. */
export function clearLate() {
  late = { session: "", numSent: 0, refused: [] };
  refresh();
}

async function refresh() {
  clearInterval(ticking);
  const banner = find("banner");
  const waiting = await listWaiting();
  const words = describe(waiting.length);
  const notes = describeLate();
  const hadFocus = banner.contains(document.activeElement);
  fill(banner, words && h("span", {}, ...words));
  if (words && waiting.length > 0)
    add(
      banner,
      h("span", { class: "count" }, t("unsent", { n: waiting.length })),
      isFragile() && h("strong", {}, t("keep_open")),
      h("button", { type: "button", class: "button small", onclick: () => flush() }, t("try_now")),
    );
  add(banner, notes);
  banner.classList.toggle("is-quiet", words === null && late.refused.length === 0);
  banner.hidden = words === null && notes.length === 0;
  if (hadFocus) banner.querySelector("button, a")?.focus();
  if (banner.querySelector("[role=timer]")) ticking = setInterval(tick, 1000);
}

/** @param {number} numWaiting @returns {any[] | null} */
function describe(numWaiting) {
  const trouble = getTrouble();
  if (trouble && isOver(trouble.error)) return [t("token_over")];
  if (!navigator.onLine) return [t("offline")];
  if (numWaiting === 0 || !trouble) return null;
  if (!(trouble.error instanceof Problem)) return [t("offline")];
  // A timer counts in silence: the banner around it is a live region.
  const [before, after] = t("unavailable", { n: "\u0000" }).split("\u0000");
  return [before, h("span", { role: "timer" }, String(countSeconds())), after];
}

function countSeconds() {
  return Math.max(1, Math.ceil(((getTrouble()?.until ?? 0) - performance.now()) / 1000));
}

function tick() {
  const timer = find("banner").querySelector("[role=timer]");
  if (timer) timer.textContent = String(countSeconds());
}

function describeLate() {
  const { session, numSent, refused } = late;
  if (numSent === 0 && refused.length === 0) return [];
  const notes = [
    numSent > 0 && h("span", {}, t("sent_later", { n: numSent })),
    refused.length > 0 && h("strong", {}, t("refused_later", { n: refused.join(", ") })),
    h("a", { href: `#result=${session}`, onclick: followAgain }, t("so_far")),
  ];
  return notes.filter(Boolean);
}

/** A link to where the reader already is would do nothing. @param {Event} event */
function followAgain(event) {
  const { hash } = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  if (hash === location.hash) dispatchEvent(new Event("hashchange"));
}

// The measurement behind an answer: what the option predicts, what was measured, one figure.
//
// Two parts: `head` has its place reserved before anything arrives, `body` may grow because
// nothing stands below it.

import { call, Problem } from "./api.js";
import { add, fill, h, say } from "./dom.js";
import { makeDetails } from "./details.js";
import { show, t } from "./text.js";

/** @typedef {any} Demonstration the API's demonstration */

const RESERVE = " \u2713 0000000000 0000000000 0000000000 0000000000 0000000000 0000000000";
// The verdict and one sentence, as long as most are.
const FIRST_FIGURE = ["memory", "scaling", "stack", "pareto"];
const POLL_S = 1;
const LONGEST_POLL_S = 15;
const FIGURE_TRIES = 60;
const FIGURE_TRANSLATION_TRIES = 8;

/**
 * @param {Demonstration} demonstration @param {string} session
 * @param {{isWhatIf?: boolean}} [options]
 * @returns {{head: HTMLElement, body: HTMLElement}}
 */
export function makeEvidence(demonstration, session, { isWhatIf = false } = {}) {
  const head = h("div", { class: "evidence-head" });
  const body = h("div", { class: "evidence-body" });
  const place = { head, body, session, isWhatIf };
  draw(place, demonstration);
  if (demonstration.state === "waiting") poll(place, demonstration);
  else noteSeen(place, demonstration);
  return { head, body };
}

/** @typedef {{head: HTMLElement, body: HTMLElement, session: string, isWhatIf: boolean}} Place */

/** @param {Place} place @param {Demonstration} told */
function draw(place, told) {
  const { head, body } = place;
  const hasPlace = told.state !== "not_run";
  const name = findFirstFigure(told);
  const figure = makeFigure(told, name);
  head.dataset.state = told.state;
  fill(
    head,
    place.isWhatIf && h("p", {}, h("strong", {}, t("what_if_result"))),
    hasPlace ? makeVersus(told) : h("p", {}, makeState(told)),
    hasPlace && figure,
    hasPlace && makeCloser(/** @type {HTMLElement} */ (figure.firstElementChild), told, name),
  );
  fill(
    body,
    told.state !== "waiting" && [h("p", { class: "message" }, show(told.message)), makeDetails(told, place.session)],
  );
}

/** @param {Demonstration} told */
function nameState(told) {
  if (told.state === "waiting" && told.delayed) return t("state_delayed");
  if (told.state === "measured" && told.reused_from) return t("state_reused");
  return t(`state_${told.state}`);
}

/** @param {Demonstration} told */
const makeState = (told) =>
  h("span", { class: `state state-${told.state}` }, nameState(told));

// -- What the option predicts, what was measured ---------------------------------------------------

/** The claim that answers the chosen option comes first. @param {Demonstration} told */
const findClaim = (told) =>
  told.claims.find((/** @type {any} */ one) => one.about_choice) ?? told.claims[0];

/** @param {Demonstration} told */
function makeVersus(told) {
  const claim = findClaim(told);
  if (!claim) return h("p", {}, makeState(told));
  const isKnown = claim.verdict !== null;
  const measured = h(
    "p",
    { class: "measured" },
    h("span", { class: "label" }, makeState(told)),
    isKnown
      ? h("span", {}, show(claim.text), " ", nameVerdict(claim))
      : h(
          "span",
          { class: "coming" },
          h("em", {}, told.state === "waiting" ? t("being_measured") : t("unknown")),
          // The words that will stand here, and about as many with the numbers: their room is kept.
          h("span", { class: "reserve", "aria-hidden": "true" }, show(claim.text), RESERVE),
        ),
  );
  const predicts =
    claim.predicts &&
    h(
      "p",
      { class: "predicts" },
      h("span", {}, show(claim.predicts.text), claim.display?.predicts && ` (${claim.display.predicts})`),
    );
  return h("div", { class: "versus" }, predicts, measured);
}

/** The verdict, and the numbers in words. @param {any} claim */
function nameVerdict(claim) {
  const { observed, expected, verdict } = claim.display;
  const numbers = [
    observed && t("measured_value", { text: observed }),
    expected && t("expected_value", { text: writeRelation(claim) }),
  ].filter(Boolean);
  return h(
    "span",
    { class: `verdict verdict-${claim.verdict}` },
    h("b", {}, `${MARKS[/** @type {keyof typeof MARKS} */ (claim.verdict)] ?? ""} ${verdict ?? ""}`),
    claim.told ? [". ", show(claim.told)] : numbers.length > 0 && `; ${numbers.join(", ")}`,
  );
}

/** Signs read the same in every language. @type {Record<string, string>} */
const SIGNS = {
  equal: "=",
  less: "<",
  greater: ">",
  at_least: "\u2265",
  at_most: "\u2264",
  differs: "\u2260",
  within: "\u2248",
};

/** @param {any} claim */
export const writeRelation = (claim) =>
  `${SIGNS[claim.relation] ?? ""} ${claim.display.expected}`.trim();

export const MARKS = { holds: "\u2713", fails: "\u2717", undecided: "?" };

// -- The figure ------------------------------------------------------------------------------------

/** The figure that stands open; the others are folded. @param {Demonstration} told */
export const findFirstFigure = (told) => FIRST_FIGURE.find((one) => one in (told.figures ?? {}));

/** @param {Demonstration} told @param {string | undefined} name */
function makeFigure(told, name) {
  const box = h("div", { class: "figure-box" });
  if (name) loadFigure(box, told, name);
  // While it is waited for, its place tells what is going on, and who stands in front.
  else add(box, told.state === "waiting" ? h("p", { class: "figure-wait message" }, show(told.message)) : h("p", { class: "figure-wait" }, nameState(told)));
  return h("figure", { class: "figure" }, box);
}

/** A figure is drawn after its run has ended, in one language after the other: asked again until
 * the reader's own is there. Fetched once and shown from memory, for slow networks.
 * @param {HTMLElement} box @param {Demonstration} told @param {string} name */
export async function loadFigure(box, told, name) {
  const link = told.figures[name];
  const lang = new URLSearchParams(link.split("?")[1]).get("lang");
  fill(box, h("p", { class: "figure-wait" }, t("figure_late")));
  for (let attempt = 0; attempt < FIGURE_TRIES; attempt += 1) {
    let wait = 1;
    try {
      const reply = await fetch(link, { cache: attempt ? "reload" : "default" });
      const isOwn = reply.headers.get("Content-Language") === lang;
      if (reply.ok && (isOwn || attempt >= FIGURE_TRANSLATION_TRIES)) {
        const source = `data:image/svg+xml,${encodeURIComponent(await reply.text())}`;
        const image = h("img", { src: source, alt: nameFigure(told, name), lang: told.figure_alts?.[name]?.lang });
        await image.decode().catch(() => undefined);
        fill(box, image);
        return;
      }
      if (!reply.ok && reply.status !== 503 && reply.status !== 429) break;
      wait = Number(reply.headers.get("Retry-After")) || 1;
    } catch {
      wait = 3;
    }
    await pause(wait);
    if (attempt > 1 && !box.isConnected) return;
  }
  const again = h("button", { type: "button", class: "button small", onclick: () => loadFigure(box, told, name) }, t("try_now"));
  fill(box, h("div", { class: "figure-wait" }, h("p", {}, t("figure_failed")), again));
}

/** The sentence of a figure's numbers. @param {Demonstration} told @param {string} name @returns {string} */
const nameFigure = (told, name) => told.figure_alts?.[name]?.text ?? t(`figure_${name}`);

/** What a figure was drawn from, with its table. @param {string} link the signed link of its picture */
export async function fetchSpec(link) {
  const reply = await fetch(link.replace(".svg?", ".json?"));
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
  return reply.json();
}

/** The way to the interactive figure; its library is fetched only when it is asked for. Where
 * there is no figure yet, this is its room.
 * @param {HTMLElement} box @param {Demonstration} told @param {string | undefined} name */
export function makeCloser(box, told, name) {
  const place = h("div", { class: "closer" });
  if (!name) return place;
  const message = h("span", { role: "status" });
  const button = h(
    "button",
    {
      type: "button",
      class: "link",
      onclick: async () => {
        button.disabled = true;
        place.classList.add("is-open");
        fill(message, t("figure_late"));
        try {
          const { explore } = await import("./explore.js");
          fill(place, await explore(box, told.figures[name], nameFigure(told, name)));
          place.querySelector("input")?.focus();
        } catch {
          button.disabled = false;
          place.classList.remove("is-open");
          fill(message, t("explore_failed"));
        }
      },
    },
    t("explore"),
  );
  return add(place, button, " ", message);
}

/** @param {number} seconds */
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// -- Until it arrives ------------------------------------------------------------------------------

/** @param {Place} place @param {Demonstration} told */
async function poll(place, told) {
  let etag = null;
  let wait = POLL_S;
  let failures = 0;
  for (;;) {
    await Promise.race([pause(wait), woken(place)]);
    await untilVisible();
    if (!place.head.isConnected && !place.body.isConnected) return;
    try {
      const reply = await call("GET", `demonstrations/${told.id}`, { session: place.session, etag });
      failures = 0;
      wait = reply.retryAfter ?? POLL_S;
      clearTrouble(place);
      if (reply.status === 304) continue;
      etag = reply.etag;
      if (reply.body.state !== "waiting") {
        draw(place, reply.body);
        noteSeen(place, reply.body);
        say(`${t("arrived")} ${reply.body.message?.text ?? ""}`);
        return;
      }
      refreshMessage(place, reply.body);
    } catch (error) {
      if (error instanceof Problem && !error.isPassing && error.status !== 401) {
        showTrouble(place, error.message);
        return;
      }
      failures += 1;
      wait = Math.min(POLL_S * 2 ** failures, LONGEST_POLL_S);
      if (failures > 1) showTrouble(place, t("poll_failed"));
    }
  }
}

/** A page in the background asks for nothing: batteries and data are dear. */
function untilVisible() {
  if (!document.hidden) return undefined;
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true });
  });
}

/** Tells that the result was on the screen: only then may its belief be tested again.
 * @param {Place} place @param {Demonstration} told */
function noteSeen(place, told) {
  if (place.isWhatIf || !["measured", "simulated"].includes(told.state)) return;
  if (!("IntersectionObserver" in window)) return;
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    watcher.disconnect();
    call("PUT", `demonstrations/${told.id}/seen`, { session: place.session, body: {} }).catch(
      () => undefined,
    );
  });
  watcher.observe(place.head);
}

/** Only what changes while waiting. @param {Place} place @param {Demonstration} told */
function refreshMessage(place, told) {
  const message = place.head.querySelector(".message");
  if (message) fill(message, show(told.message));
  const state = place.head.querySelector(".state");
  if (state) fill(state, nameState(told));
}

/** @param {Place} place @param {string} words */
function showTrouble(place, words) {
  if (place.body.querySelector(".poll-trouble")) return;
  add(
    place.body,
    h(
      "div",
      { class: "poll-trouble notice", role: "alert" },
      h("p", {}, words),
      h("button", { type: "button", class: "button small wake" }, t("try_now")),
    ),
  );
}

/** @param {Place} place */
function clearTrouble(place) {
  place.body.querySelector(".poll-trouble")?.remove();
}

/** Resolves when the reader asks to try at once. @param {Place} place @returns {Promise<void>} */
function woken(place) {
  return new Promise((resolve) => {
    place.body.querySelector(".wake")?.addEventListener("click", () => resolve(), { once: true });
  });
}

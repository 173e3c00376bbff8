// A session on the screen: question, answer, feedback, next; also without a network.

import { call, makeKey, Problem, Unreachable } from "./api.js";
import { add, fill, find, focusOn, h, say } from "./dom.js";
import { makeFeedback } from "./feedback.js";
import { makeHeader } from "./header.js";
import { makeQuestion } from "./item.js";
import { flush, isOver, listWaiting, onOutcome, submit } from "./outbox.js";
import { get, put } from "./store.js";
import { show, t } from "./text.js";

/**
 * @typedef {import("./item.js").Item} Item
 * @typedef {{id: string, title: any, mode: string, reveal: string, total: number | null,
 *   expires: string | null, languages: string[], items: Item[], answered: string[], current: Item | null}} Kept
 */

/** The question on the screen whose answer is on its way.
 * @type {{administration: string, showReply: (reply: any) => void, showRefusal: (problem: Problem) => void} | null} */
let waitingView = null;
/** The screen that stands until the last answers are away.
 * @type {{session: string, goOn: () => unknown} | null} */
let waitingScreen = null;

onOutcome((outcome) => {
  if (outcome.entry.administration === waitingView?.administration) {
    outcome.isShown = true;
    if (outcome.state === "sent") waitingView.showReply(outcome.reply);
    if (outcome.state === "refused") waitingView.showRefusal(outcome.problem);
  }
  if (outcome.state !== "kept") leaveWaiting();
});

addEventListener("online", async () => {
  await flush();
  leaveWaiting();
});

/** Another screen comes: what arrives for this one is told in the banner. */
export function leaveScreen() {
  waitingView = waitingScreen = null;
}

/** Goes on by itself as soon as nothing waits any more. */
async function leaveWaiting() {
  const screen = waitingScreen;
  if (screen === null || (await listWaiting(screen.session)).length > 0) return;
  if (waitingScreen !== screen) return;
  waitingScreen = null;
  screen.goOn();
}

/** The result has an address of its own: a reload comes back to it, and a failure is told there.
 * @param {string} id */
const goToResult = (id) => location.replace(`#result=${id}`);

/** Start, or find the open session of an activity. @param {any} activity @param {string[]} languages */
export async function startSession(activity, languages) {
  const { body } = await call("POST", "sessions", {
    body: { activity: activity.id, languages },
    key: makeKey(),
  });
  await put("sessions", keep(body, activity));
  return body;
}

/** @param {any} session @param {any} activity @returns {Kept} */
function keep(session, activity) {
  return {
    id: session.id,
    title: activity.title,
    mode: activity.policy.mode,
    reveal: activity.policy.reveal,
    total: session.progress.total,
    expires: session.expires_at,
    languages: session.languages,
    items: session.current ? [session.current] : [],
    answered: [],
    current: session.current,
  };
}

/** The session as the service has it, or as it was kept while there is no network.
 * @param {HTMLElement} main @param {string} id */
export async function openSession(main, id) {
  leaveScreen();
  let kept = await get("sessions", id);
  try {
    const { body } = await call("GET", `sessions/${id}`, { session: id });
    if (!kept) {
      const { body: activity } = await call("GET", `activities/${body.activity}`, { session: id });
      kept = keep(body, activity);
    }
    kept.current = body.current;
    kept.total = body.progress.total;
    await put("sessions", kept);
    fetchAhead(kept);
    if (body.state !== "open") return goToResult(id);
    if (body.prediction) return showPrediction(main, kept, body.prediction);
    await showNext(main, kept, body.current);
  } catch (error) {
    const isAway = error instanceof Unreachable || (error instanceof Problem && error.isPassing);
    if (!isAway || !kept) throw error;
    await showNext(main, kept, kept.current);
  }
}

/** All questions of a fixed session, so that it goes on without a network. @param {Kept} kept */
async function fetchAhead(kept) {
  if (kept.mode !== "fixed" || kept.items.length === kept.total) return;
  try {
    const { body } = await call("GET", `sessions/${kept.id}/items`, { session: kept.id });
    const fresh = (await get("sessions", kept.id)) ?? kept;
    fresh.items = kept.items = body.items;
    await put("sessions", fresh);
  } catch {
    // The questions still come one by one.
  }
}

/** The question that comes now, past those whose answers still wait to be sent.
 * @param {HTMLElement} main @param {Kept} kept @param {Item | null} current */
async function showNext(main, kept, current) {
  const waiting = (await listWaiting(kept.id)).map((one) => one.administration);
  const done = new Set(waiting);
  let item = current;
  if (item && done.has(item.administration)) {
    const from = item.position;
    const later = [...kept.items].sort((one, other) => one.position - other.position);
    item =
      later.find((one) => one.position > from && !done.has(one.administration) && !kept.answered.includes(one.administration)) ??
      null;
    if (!item && kept.mode !== "fixed") return showWaiting(main, kept, t("needs_network"));
  }
  if (item) return showQuestion(main, kept, item);
  if (waiting.length) return showWaiting(main, kept, t("waiting_answers"));
  return showEnd(main, kept);
}

// -- One question ----------------------------------------------------------------------------------

/** @param {HTMLElement} main @param {Kept} kept @param {Item} item */
function showQuestion(main, kept, item) {
  leaveScreen();
  const began = performance.now();
  const question = makeQuestion(item, kept.id);
  const message = h("p", { class: "ask-first", role: "alert" });
  const place = h("div", { class: "reply" });
  const sure = h(
    "div",
    { class: "certainty", role: "group", "aria-labelledby": "how-sure" },
    h("p", { id: "how-sure", class: "hint" }, t("how_sure")),
    h(
      "div",
      { class: "certainty-buttons" },
      ...[1, 2, 3].map((level) =>
        h("button", { type: "button", class: "button", "data-certainty": level, onclick: () => give(level) }, t(`sure_${level}`)),
      ),
    ),
    message,
  );
  let isGiven = false;

  /** @param {number} certainty */
  async function give(certainty) {
    const answer = question.read();
    if (isGiven) return;
    if (answer === null) {
      fill(message, t(item.kind === "numeric" ? "number_first" : "choose_first"));
      question.element.querySelector("input")?.focus();
      return;
    }
    isGiven = true;
    question.lock();
    fill(place, h("p", { class: "hint", role: "status" }, t("sending")));
    sure.replaceWith(place);
    kept.answered.push(item.administration);
    await put("sessions", kept);
    waitingView = { administration: item.administration, showReply, showRefusal };
    const outcome = await submit({
      session: kept.id,
      administration: item.administration,
      position: item.position,
      body: {
        administration: item.administration,
        response: answer,
        certainty,
        elapsed_ms: Math.min(Math.round(performance.now() - began), 2147483647),
      },
    });
    if (outcome.state === "kept" && waitingView?.administration === item.administration) showKept(outcome.error);

    /** @param {any} reply */
    function showReply(reply) {
      waitingView = null;
      tellReply(main, kept, { item, question, place, reply, certainty });
    }

    /** @param {Problem} problem */
    function showRefusal(problem) {
      waitingView = null;
      const known = { already_answered: "conflict", session_finished: "over", session_expired: "over" };
      const name = known[/** @type {keyof typeof known} */ (problem.code)];
      const hints = [problem.message, ...problem.errors.map((one) => one.message)].join(" ");
      const words = name ? t(name) : t("refused", { text: hints });
      fill(place, h("div", { class: "notice bad", role: "alert" }, h("p", {}, words)));
      const label = t(name ? "next" : "back_to_question");
      add(place, makeBar(h("button", { type: "button", class: "button", onclick: () => openSession(main, kept.id) }, label)));
    }
  }

  /** @param {Problem | Unreachable} error */
  function showKept(error) {
    const words = isOver(error) ? t("token_over") : t("kept_here");
    fill(place, h("div", { class: "notice", role: "status" }, h("p", {}, words)));
    if (!isOver(error))
      add(place, makeBar(h("button", { type: "button", class: "button", onclick: () => showNext(main, kept, item) }, t("next"))));
  }

  document.title = `${item.position}. ${kept.title.text} \u2013 Remat`;
  fill(main, makeHeader(kept, item.position), question.element, sure);
  const heading = /** @type {HTMLElement} */ (question.element.querySelector("#stem"));
  scrollTo(0, 0);
  focusOn(heading, { scroll: false });
}

/** What stays in reach at the lower edge. @param {...any} children */
const makeBar = (...children) => h("div", { class: "bar" }, ...children);

/**
 * @param {HTMLElement} main @param {Kept} kept
 * @param {{item: Item, question: any, place: HTMLElement, reply: any, certainty: number | null}} given
 */
function tellReply(main, kept, given) {
  const { item, question, place, reply, certainty } = given;
  if (reply.prediction) return askPrediction(main, kept, given);
  const goOn = () => (reply.next ? showQuestion(main, kept, reply.next) : proceed(main, kept, reply));
  kept.current = reply.next ?? null;
  if (reply.next && !kept.items.some((one) => one.administration === reply.next.administration)) kept.items.push(reply.next);
  put("sessions", kept);
  if (!reply.feedback) {
    say(t("recorded"));
    return goOn();
  }
  question?.mark(reply.feedback);
  const told = makeFeedback(reply.feedback, { session: kept.id, administration: item.administration, certainty });
  const button = h("button", { type: "button", class: "button", onclick: goOn }, t(reply.next ? "next" : "finish"));
  fill(place, told, makeBar(reply.end?.message && show(reply.end.message, "span", "end-message"), button));
  const bar = find("main").querySelector("progress");
  if (bar) bar.value = item.position;
  const heading = /** @type {HTMLElement} */ (told.querySelector(".verdict-line"));
  say(heading.textContent ?? "");
  focusOn(heading);
}

/** No next question came with the reply: answers may be waiting, or this is the end.
 * @param {HTMLElement} main @param {Kept} kept @param {any} reply */
async function proceed(main, kept, reply) {
  if (reply.end) return goToResult(kept.id);
  if ((await listWaiting(kept.id)).length) return showWaiting(main, kept, t("waiting_answers"));
  return showEnd(main, kept);
}

// -- Predictions -----------------------------------------------------------------------------------

/** The session resumed between an answer and its prediction.
 * @param {HTMLElement} main @param {Kept} kept @param {any} prediction */
function showPrediction(main, kept, prediction) {
  const place = h("div", { class: "reply" });
  const item = kept.items.find((one) => one.administration === prediction.administration);
  fill(main, item && makeHeader(kept, item.position), item && h("h1", { class: "stem" }, show(item.stem)), place);
  askPrediction(main, kept, {
    item: item ?? /** @type {any} */ ({ administration: prediction.administration, position: 0 }),
    question: null,
    place,
    reply: { prediction },
    certainty: null,
  });
}

/** @param {HTMLElement} main @param {Kept} kept @param {any} given */
function askPrediction(main, kept, given) {
  const { prediction } = given.reply;
  const message = h("p", { role: "alert" });
  const choices = prediction.choices.map((/** @type {any} */ one) =>
    h("div", { class: "option" }, h("label", {}, h("input", { type: "radio", name: "prediction", value: one.id }), show(one.text, "span", "option-text"))),
  );
  const heading = h("h2", { id: "predict", tabindex: "-1" }, t("predict"));
  const form = h(
    "form",
    {
      class: "prediction",
      "aria-labelledby": "predict",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const chosen = form.querySelector("input:checked");
        if (!chosen) return fill(message, t("choose_first"));
        return send({ choice: chosen.value });
      },
    },
    heading,
    h("p", { class: "quiet" }, t("answer_kept")),
    h("fieldset", { class: "answers" }, h("legend", {}, show(prediction.text)), ...choices),
    makeBar(
      h("button", { type: "button", class: "button quiet-button", onclick: () => send({ skip: true }) }, t("predict_skip")),
      h("button", { type: "submit", class: "button" }, t("predict_send")),
    ),
    message,
  );

  /** @param {Record<string, unknown>} body */
  async function send(body) {
    for (const control of form.elements) control.disabled = true;
    try {
      const { body: reply } = await call("PUT", `sessions/${kept.id}/predictions/${prediction.administration}`, {
        body,
        session: kept.id,
      });
      tellReply(main, kept, { ...given, reply });
    } catch (error) {
      if (error instanceof Problem && error.status === 409) return openSession(main, kept.id);
      for (const control of form.elements) control.disabled = false;
      fill(message, t("failed_load"));
    }
  }

  fill(given.place, form);
  focusOn(heading);
}

// -- The end ---------------------------------------------------------------------------------------

/** @param {HTMLElement} main @param {Kept} kept */
async function showEnd(main, kept) {
  try {
    await call("POST", `sessions/${kept.id}/finish`, { body: {}, key: makeKey(), session: kept.id });
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) return showWaiting(main, kept, t("failed_load"));
  }
  return goToResult(kept.id);
}

/** Nothing to answer until the network is back. @param {HTMLElement} main @param {Kept} kept @param {string} words */
function showWaiting(main, kept, words) {
  const again = () => openSession(main, kept.id);
  const heading = h("h1", { tabindex: "-1" }, show(kept.title));
  fill(main, heading, h("div", { class: "notice", role: "status" }, h("p", {}, words)), h("button", { type: "button", class: "button", onclick: again }, t("try_now")));
  focusOn(heading);
  waitingScreen = { session: kept.id, goOn: again };
}

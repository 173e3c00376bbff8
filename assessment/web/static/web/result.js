// The result: what the answers show in words, beliefs, evidence to look at again, every answer.

import { call } from "./api.js";
import { add, fill, focusOn, fold, h, section } from "./dom.js";
import { makeFeedback } from "./feedback.js";
import { nameItem, showAnswered } from "./item.js";
import { formatNumber, show, t } from "./text.js";

/** @param {HTMLElement} main @param {string} id */
export async function showResult(main, id) {
  const { body: session } = await call("GET", `sessions/${id}`, { session: id });
  const { body: told } = await call("GET", `sessions/${id}/feedback`, { session: id });
  const isOver = session.state !== "open";
  const heading = h("h1", { tabindex: "-1" }, t(isOver ? "result" : "so_far"));
  fill(
    main,
    h(
      "div",
      { class: "result" },
      heading,
      !isOver && h("p", {}, h("a", { class: "button small", href: `#session=${id}` }, t("back_to_question"))),
      !told.revealed && h("p", { class: "notice" }, t("recorded")),
      told.result && makeScore(told.result),
      told.outcome && makeOutcome(told.outcome),
      makeAgain(told.items),
      makeAnswers(told.items, id),
      h(
        "p",
        { class: "actions" },
        isOver && h("button", { type: "button", class: "button", onclick: printAll }, t("print")),
        h("a", { class: "button quiet-button", href: "/learn/" }, t("to_list")),
      ),
    ),
  );
  document.title = `${t(isOver ? "result" : "so_far")} \u2013 Remat`;
  scrollTo(0, 0);
  focusOn(heading, { scroll: false });
}

// -- On paper --------------------------------------------------------------------------------------

const PICTURES_MS = 5000;
// Paper without a picture is better than no paper.

addEventListener("beforeprint", unfoldAnswers);

/** Nothing can be unfolded on paper; what is unfolded is filled at once, not when the browser tells of it. */
function unfoldAnswers() {
  for (const part of document.querySelectorAll("details.answer")) {
    /** @type {any} */ (part).open = true;
    part.dispatchEvent(new Event("toggle"));
    for (const why of part.querySelectorAll(".feedback > details")) /** @type {any} */ (why).open = true;
  }
}

/** Prints when the pictures are there. */
async function printAll() {
  unfoldAnswers();
  const until = performance.now() + PICTURES_MS;
  while (document.querySelector(".result .figure-wait") && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100));
  print();
}

// -- What the answers show -------------------------------------------------------------------------

/** @param {any} result */
function makeScore(result) {
  const score = t("score_line", { score: formatNumber(result.score), max: formatNumber(result.max_score) });
  return h(
    "div",
    { class: "score card" },
    h("p", { class: "score-line" }, score),
    result.answered < result.num_items &&
      h("p", { class: "quiet" }, t("answered_line", { n: result.answered, total: result.num_items })),
  );
}

/** @param {any} outcome */
function makeOutcome(outcome) {
  const tested = outcome.concepts.filter((/** @type {any} */ one) => one.num_answers > 0);
  const touched = outcome.misconceptions.filter((/** @type {any} */ one) => one.num_chosen > 0);
  const untested = outcome.misconceptions.filter((/** @type {any} */ one) => one.state === "not_tested");
  return h(
    "div",
    {},
    section(
      "shows",
      "",
      h("h2", { id: "shows" }, t("what_it_shows")),
      show(outcome.interval.text, "p"),
      show(outcome.provisional, "p", "quiet"),
    ),
    tested.length > 0 &&
      section(
        "concepts",
        "",
        h("h2", { id: "concepts" }, t("by_concept")),
        h("ul", { class: "concepts" }, ...STATES.map((state) => makeConcepts(tested, state))),
      ),
    (touched.length > 0 || untested.length > 0) &&
      section(
        "beliefs",
        "",
        h("h2", { id: "beliefs" }, t("beliefs")),
        h("ul", { class: "beliefs" }, ...touched.map(makeBelief)),
        untested.length > 0 &&
          fold(t("not_tested_n", { n: untested.length }), h("ul", {}, ...untested.map((/** @type {any} */ one) => show(one.text, "li")))),
      ),
  );
}

const STATES = ["likely", "unlikely", "open"];

/** The concepts about which the answers say the same. @param {any[]} tested @param {string} state */
function makeConcepts(tested, state) {
  const same = tested.filter((one) => one.state === state);
  if (same.length === 0) return null;
  const names = same.flatMap((one, place) => [place > 0 && ", ", show(one.name), ` (${one.num_answers})`]);
  return h(
    "li",
    { class: `concept concept-${state}` },
    h("b", {}, show(same[0].text)),
    h("span", {}, h("span", { class: "unseen" }, `${t("num_answers")}: `), ...names),
  );
}

/** @param {any} one */
function makeBelief(one) {
  return h("li", {}, show(one.text), " ", h("span", { class: "tag" }, show(one.state_text)));
}

/** Evidence of the answers that were wrong and sure, or had something measured. @param {any[]} items */
function makeAgain(items) {
  const again = items.filter(
    (one) => one.feedback?.correct === false && !["not_run", undefined].includes(one.feedback.demonstration?.state),
  );
  if (again.length === 0) return null;
  const links = again.map((one) =>
    h("li", {}, h("a", { href: `#answer-${one.position}`, onclick: openAnswer }, nameItem(one.item))),
  );
  return section("again", "", h("h2", { id: "again" }, t("look_again")), h("ul", {}, ...links));
}

/** The hash is the client's address: follow the link without changing it. @param {Event} event */
function openAnswer(event) {
  event.preventDefault();
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  const part = /** @type {HTMLDetailsElement | null} */ (document.querySelector(link.hash));
  if (!part) return;
  part.open = true;
  focusOn(/** @type {HTMLElement} */ (part.querySelector("summary")));
}

/** @param {any[]} items @param {string} session */
function makeAnswers(items, session) {
  if (items.length === 0) return null;
  return section("answers", "", h("h2", { id: "answers" }, t("all_answers")), ...items.map((one) => makeAnswer(one, session)));
}

/** @param {any} entry @param {string} session */
function makeAnswer(entry, session) {
  const { feedback } = entry;
  const mark = feedback?.correct ? "\u2713" : feedback?.correct === false ? "\u2717" : "\u2013";
  const words = feedback?.correct ? t("right") : feedback?.correct === false ? t("wrong") : t(entry.answered ? "recorded" : "not_answered");
  const inside = h("div", { class: "folded" });
  const part = h(
    "details",
    { id: `answer-${entry.position}`, class: "answer" },
    h(
      "summary",
      {},
      h("span", { class: feedback?.correct ? "is-right" : "is-wrong", "aria-hidden": "true" }, `${mark} `),
      h("span", { class: "unseen" }, `${words}: `),
      show(entry.item.stem),
    ),
    inside,
  );
  let isMade = false;
  const make = () => {
    if (isMade || !part.open) return;
    isMade = true;
    add(inside, showAnswered(entry.item, feedback));
    if (feedback && feedback.correct !== null)
      add(
        inside,
        makeFeedback(feedback, {
          session,
          administration: entry.administration,
          certainty: feedback.certainty ?? 1,
          headingId: `verdict-${entry.position}`,
          level: "h3",
        }),
      );
  };
  part.addEventListener("toggle", make);
  return part;
}


// What an answer is told. How much is open at once follows from how sure the learner was:
// sure and wrong: the evidence; unsure: the explanation first; sure and right: one line.

import { call, makeKey } from "./api.js";
import { add, fill, fold, h, section } from "./dom.js";
import { makeEvidence } from "./evidence.js";
import { show, t } from "./text.js";

const SURE = 3;

/**
 * @param {any} feedback @param {{session: string, administration: string, certainty: number | null,
 *   headingId?: string, level?: string}} context
 * @returns {HTMLElement}
 */
export function makeFeedback(feedback, context) {
  const isSure = (context.certainty ?? feedback.certainty) === SURE;
  const id = context.headingId ?? "verdict";
  const heading = h(
    context.level ?? "h2",
    { id, class: `verdict-line ${feedback.correct ? "is-right" : "is-wrong"}`, tabindex: "-1" },
    h("span", { "aria-hidden": "true" }, feedback.correct ? "\u2713 " : "\u2717 "),
    nameVerdict(feedback),
  );
  const parts = feedback.correct
    ? makeRight(feedback, context, isSure)
    : makeWrong(feedback, context, isSure);
  return section(id, "feedback", heading, makePrediction(feedback.prediction), ...parts);
}

/** @param {any} feedback */
function nameVerdict(feedback) {
  if (feedback.correct) return t("right");
  return feedback.score > 0 ? t("partly") : t("wrong");
}

/** @param {any} feedback @param {any} context @param {boolean} isSure @returns {any[]} */
function makeRight(feedback, context, isSure) {
  const words = show(feedback.explanation, "p", "explanation");
  return [
    isSure ? words && fold(t("why"), words) : words,
    makeDetailsOfOptions(feedback),
    askEvidence(feedback, context),
  ];
}

/** @param {any} feedback @param {any} context @param {boolean} isSure @returns {any[]} */
function makeWrong(feedback, context, isSure) {
  const words = [
    makeNumeric(feedback.numeric),
    feedback.explanation && h("div", { class: "why" }, show(feedback.explanation, "p", "explanation")),
    feedback.misconception &&
      h(
        "p",
        { class: "belief" },
        h("span", { class: "label" }, t("belief")),
        show(feedback.misconception.text),
      ),
    makeDetailsOfOptions(feedback),
    feedback.key_explanation && fold(t("why_right"), show(feedback.key_explanation, "p")),
  ];
  const told = feedback.demonstration;
  if (!told) return [...words, askEvidence(feedback, context)];
  if (isSure && told.state !== "not_run") {
    const shown = makeEvidence(told, context.session);
    return [shown.head, ...words, shown.body];
  }
  if (told.state === "not_run") {
    const shown = makeEvidence(told, context.session);
    return [...words, shown.head, shown.body];
  }
  return [...words, openOnTap(told, context)];
}

/** The evidence one tap away. @param {any} told @param {any} context */
function openOnTap(told, context) {
  const place = h("div", { class: "evidence-place" });
  const button = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        const shown = makeEvidence(told, context.session);
        fill(place, shown.head, shown.body);
      },
    },
    t("show_evidence"),
  );
  return add(place, button);
}

/** A right answer has its evidence too, for whoever asks. @param {any} feedback @param {any} context */
function askEvidence(feedback, context) {
  if (feedback.demonstration) return openOnTap(feedback.demonstration, context);
  if (feedback.correct === null) return null;
  const place = h("div", { class: "evidence-place" });
  const message = h("p", { role: "alert" });
  const button = h(
    "button",
    {
      type: "button",
      class: "button small quiet-button",
      onclick: async () => {
        button.disabled = true;
        fill(message);
        try {
          const { body } = await call("POST", `sessions/${context.session}/demonstrations`, {
            body: { administration: context.administration },
            key: makeKey(),
            session: context.session,
          });
          const shown = makeEvidence(body, context.session);
          fill(place, shown.head, shown.body);
        } catch {
          button.disabled = false;
          fill(message, t("failed_load"));
        }
      },
    },
    t("show_evidence"),
  );
  return add(place, button, message);
}

/** @param {any} numeric */
function makeNumeric(numeric) {
  if (!numeric) return null;
  return h(
    "p",
    {},
    numeric.understood && `${t("understood", { text: numeric.understood.display })}. `,
    numeric.correct && h("b", {}, `${t("right_answer")}: ${numeric.correct.display}`),
  );
}

/** @param {any} feedback */
function makeDetailsOfOptions(feedback) {
  if (!feedback.details?.length) return null;
  const rows = feedback.details
    .filter((/** @type {any} */ one) => one.explanation)
    .map((/** @type {any} */ one) =>
      h(
        "li",
        { class: one.correct ? "is-right" : "is-wrong" },
        h("span", { "aria-hidden": "true" }, one.correct ? "\u2713 " : "\u2717 "),
        show(one.explanation),
      ),
    );
  return rows.length ? fold(t("why"), h("ul", { class: "looked" }, ...rows)) : null;
}

/** What was predicted beside what was measured. @param {any} prediction */
function makePrediction(prediction) {
  if (!prediction?.choice) return null;
  const find = (/** @type {string} */ id) =>
    prediction.choices.find((/** @type {any} */ one) => one.id === id)?.text;
  return h(
    "div",
    { class: "predicted" },
    h("p", {}, h("span", { class: "label" }, t("you_predicted")), show(find(prediction.choice))),
    prediction.measured_choice &&
      h(
        "p",
        {},
        h("span", { class: "label" }, t("was_measured")),
        show(find(prediction.measured_choice)),
        prediction.display && ` (${prediction.display}) `,
        h("b", {}, prediction.was_right ? "\u2713" : "\u2717"),
      ),
  );
}

// Choosing a quiz, its form and the languages of its questions.

import { call } from "./api.js";
import { fill, focusOn, h } from "./dom.js";
import { startSession } from "./session.js";
import { formatNumber, interfaceLanguage, languageNames, show, t } from "./text.js";

/** Where a text is missing, as the service falls back. @type {Record<string, string>} */
const SECOND = { wo: "fr", bg: "en", fr: "en", en: "" };

/** @param {HTMLElement} main @param {string | null} quiz @param {string} [notice] */
export async function showStart(main, quiz, notice) {
  const activities = await listActivities();
  const slugs = [...new Set(activities.map((one) => one.quiz))];
  document.title = `${t("title")} \u2013 Remat`;
  if (quiz && slugs.includes(quiz)) showQuiz(main, activities.filter((one) => one.quiz === quiz));
  else showQuizzes(main, slugs.map((slug) => activities.filter((one) => one.quiz === slug)));
  if (notice) main.prepend(h("div", { class: "notice", role: "status" }, h("p", {}, notice)));
}

/** @returns {Promise<any[]>} */
async function listActivities() {
  const found = [];
  /** @type {string | null} */
  let path = "activities";
  while (path) {
    /** @type {any} */
    const { body } = await call("GET", path);
    found.push(...body.results);
    path = body.next ? new URL(body.next, location.href).pathname + new URL(body.next, location.href).search : null;
  }
  return found;
}

/** @param {HTMLElement} main @param {any[][]} groups */
function showQuizzes(main, groups) {
  const heading = h("h1", { tabindex: "-1" }, t("choose_quiz"));
  const cards = groups.map((group) => {
    const [first] = group;
    return h(
      "a",
      { class: "card card-link", href: `/learn/?quiz=${first.quiz}` },
      h("h2", {}, show(first.title)),
      show(first.introduction, "p"),
      group.some((one) => one.sessions.some((/** @type {any} */ own) => own.state === "open")) &&
        h("p", {}, h("span", { class: "tag" }, t("resume"))),
    );
  });
  fill(main, heading, h("div", { class: "cards" }, ...cards));
  focusOn(heading, { scroll: false });
}

/** @param {any} policy */
function nameForm(policy) {
  if (policy.mode === "adaptive") return t("form_adaptive");
  if (policy.predictions) return t("form_predictions");
  if (policy.texts === "seed") return t("form_seed");
  return t(policy.reveal === "after_finish" ? "form_finish" : "form_plain");
}

/** @param {HTMLElement} main @param {any[]} activities of one quiz */
function showQuiz(main, activities) {
  const [first] = activities;
  const heading = h("h1", { tabindex: "-1" }, show(first.title));
  const message = h("p", { role: "alert" });
  const forms = activities.map((one, place) => makeForm(one, place === 0));
  const languages = makeLanguages(first.languages);
  const button = h("button", { type: "submit", class: "button big" }, t("start"));
  const form = h(
    "form",
    {
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const chosen = /** @type {any} */ (form.querySelector("input[name=form]:checked"));
        button.disabled = true;
        try {
          const session = await startSession(activities.find((one) => one.id === chosen.value), languages.read());
          location.hash = `#session=${session.id}`;
        } catch (error) {
          button.disabled = false;
          const { code = "", message: words = "" } = /** @type {any} */ (error);
          fill(message, code === "throttled" ? t("busy") : code ? words : t("failed_load"));
        }
      },
    },
    h("fieldset", { class: "answers" }, h("legend", {}, t("choose_form")), ...forms),
    languages.element,
    h("div", { class: "start" }, button),
    message,
  );
  fill(main, heading, show(first.introduction, "p", "introduction"), form, h("p", {}, h("a", { href: "/learn/" }, t("to_list"))));
  focusOn(heading, { scroll: false });
}

/** @param {any} activity @param {boolean} isFirst */
function makeForm(activity, isFirst) {
  const isOpen = activity.state === "open";
  const count = activity.policy.mode === "adaptive" ? t("up_to_questions") : t("questions", { n: activity.num_items });
  return h(
    "div",
    { class: "option" },
    h(
      "label",
      {},
      h("input", { type: "radio", name: "form", value: activity.id, checked: isFirst && isOpen, disabled: !isOpen }),
      h("span", { class: "option-text" }, nameForm(activity.policy), h("span", { class: "quiet" }, isOpen ? ` ${count}` : ` ${t("closed")}`)),
    ),
    h("span", { class: "own" }, ...activity.sessions.slice(-3).map(makeOwn)),
  );
}

/** @param {any} own */
function makeOwn(own) {
  const isOpen = own.state === "open";
  const words = isOpen ? t("resume") : t("see_result", { n: own.attempt });
  return h("a", { class: "tag", href: `#${isOpen ? "session" : "result"}=${own.id}` }, words);
}

/** The ordered list of languages: the first wish, and the one where a text is missing in it.
 * @param {Record<string, number>} shares */
function makeLanguages(shares) {
  const tags = Object.keys(languageNames);
  const name = (/** @type {string} */ tag) => {
    const share = shares[tag] ?? 0;
    const percent = `${formatNumber(Math.round(share * 100))}\u00a0%`;
    return share < 1 ? `${languageNames[tag]} (${t("translated", { share: percent })})` : languageNames[tag];
  };
  const first = h("select", { id: "first-language" }, ...tags.map((tag) => h("option", { value: tag, lang: tag, selected: tag === interfaceLanguage }, name(tag))));
  const second = h(
    "select",
    { id: "second-language" },
    h("option", { value: "" }, t("none")),
    ...tags.map((tag) => h("option", { value: tag, lang: tag, selected: tag === SECOND[interfaceLanguage] }, name(tag))),
  );
  first.addEventListener("change", () => {
    second.value = SECOND[first.value] ?? "";
  });
  const element = h(
    "div",
    { class: "language-choice" },
    h("label", { for: "first-language" }, t("first_language")),
    first,
    h("label", { for: "second-language" }, t("second_language")),
    second,
  );
  return { element, read: () => [...new Set([first.value, second.value].filter(Boolean))] };
}

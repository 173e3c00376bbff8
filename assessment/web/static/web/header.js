// Above every question: how far the learner is, and the ways out of it.

import { call, makeKey } from "./api.js";
import { fill, h } from "./dom.js";
import { formatTime, show, t } from "./text.js";

/** @param {import("./session.js").Kept} kept @param {number} position */
export function makeHeader(kept, position) {
  const words = kept.total
    ? t("question_of", { n: position, total: kept.total })
    : t("question_n", { n: position });
  return h(
    "div",
    { class: "progress" },
    h("p", {}, h("span", { class: "quiz-title" }, show(kept.title)), h("span", { class: "place" }, words)),
    kept.total && h("progress", { max: kept.total, value: position - 1, "aria-label": words }),
    kept.expires && h("p", { class: "quiet" }, t("until", { time: formatTime(kept.expires) })),
    makeMenu(kept.id),
  );
}

/** Look back, another device, all quizzes. Escape and a tap elsewhere close it. @param {string} session */
function makeMenu(session) {
  const place = h("div", {});
  const summary = h("summary", { "aria-label": t("more") }, "\u22ef");
  const menu = h(
    "details",
    { class: "menu" },
    summary,
    h(
      "div",
      { class: "menu-body" },
      h("a", { href: `#result=${session}` }, t("so_far")),
      h("button", { type: "button", class: "link", onclick: () => makeHandoff(session, place) }, t("handoff")),
      h("a", { href: "/learn/" }, t("to_list")),
      place,
    ),
  );
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  /** @param {Event} event */
  const closeElsewhere = (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  };
  menu.addEventListener("toggle", () => {
    if (menu.open) document.addEventListener("click", closeElsewhere);
    else document.removeEventListener("click", closeElsewhere);
  });
  return menu;
}

/** A link that resumes this session elsewhere. @param {string} session @param {HTMLElement} place */
async function makeHandoff(session, place) {
  try {
    const { body } = await call("POST", `sessions/${session}/handoff`, { body: {}, key: makeKey(), session });
    const link = `${location.origin}/learn/#handoff=${body.secret}`;
    const field = h("input", { type: "text", readonly: true, value: link, class: "handoff-link", "aria-label": t("handoff") });
    const told = h("span", { role: "status", class: "copied" });
    const copy = async () => {
      field.select();
      fill(told, (await copyText(link)) ? t("copied") : t("copy_by_hand"));
    };
    fill(
      place,
      h("p", {}, t("handoff_text", { time: formatTime(body.expires_at) })),
      field,
      h("p", {}, h("button", { type: "button", class: "button small", onclick: copy }, t("copy")), " ", told),
    );
    field.focus();
    field.select();
  } catch {
    fill(place, h("p", { role: "alert" }, t("failed_load")));
  }
}

/** Whether the browser let us: plain http has no clipboard. @param {string} text @returns {Promise<boolean>} */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// One question: stem, options as large targets, and reading the answer that was given.

import { call } from "./api.js";
import { add, fill, h, say } from "./dom.js";
import { interfaceLanguage, languageNames, markCode, show, t } from "./text.js";

/** @typedef {import("./text.js").LocalText} LocalText */
/**
 * @typedef {{administration: string, position: number, kind: "single" | "multiple" | "numeric" | "ordering",
 *   stem: LocalText, languages: string[], options: {id: string, text: LocalText}[], units?: string[]}} Item
 */

const HINTS = {
  single: "choose_one",
  multiple: "choose_many",
  numeric: "your_number",
  ordering: "put_in_order",
};

/**
 * The form of a question. `read` returns the answer, or null where none is given yet.
 * @param {Item} item @param {string} session
 * @returns {{element: HTMLElement, read: () => Record<string, unknown> | null, lock: () => void,
 *   mark: (feedback: any) => void}}
 */
export function makeQuestion(item, session) {
  const flipper = makeFlipper(item, session);
  const heading = h("h1", { id: "stem", class: "stem", tabindex: "-1" }, show(item.stem));
  const stem = h("div", { class: "flippable" }, heading, flipper(heading, (/** @type {Item} */ one) => one.stem));
  const body = BODIES[item.kind](item, flipper);
  const hint = h("p", { class: "hint", id: "hint" }, t(HINTS[item.kind]));
  const fields = h(
    "fieldset",
    { class: "answers", "aria-labelledby": "stem", "aria-describedby": "hint" },
    body.rows,
  );
  const element = h("div", { class: "question" }, stem, hint, fields);
  return {
    element,
    read: body.read,
    lock: () => {
      for (const control of fields.querySelectorAll("input, select, .move"))
        /** @type {any} */ (control).disabled = true;
      hint.hidden = true;
    },
    mark: (feedback) => markOptions(fields, item, feedback),
  };
}

// -- Another language of a single text ------------------------------------------------------------

/** @type {Map<string, Promise<Item[]>>} */
const fetched = new Map();

/** @param {string} session @param {string} lang */
function fetchItems(session, lang) {
  const name = `${session} ${lang}`;
  const found = fetched.get(name);
  if (found) return found;
  const asked = call("GET", `sessions/${session}/items?lang=${lang}`, { session }).then(
    ({ body }) => body.items,
  );
  fetched.set(name, asked);
  asked.catch(() => fetched.delete(name));
  return asked;
}

/** @param {Item} item @param {string} session */
function makeFlipper(item, session) {
  /** @param {HTMLElement} place @param {(item: Item) => LocalText | undefined} pick */
  return (place, pick) => {
    let lang = pick(item)?.lang ?? "";
    if (item.languages.filter((one) => one !== lang).length === 0) return null;
    const button = h("button", { type: "button", class: "flip" });
    const label = () => {
      fill(button, lang);
      const following = next();
      const words = `${lang}: ${t("flip")}, ${languageNames[following] ?? following}`;
      button.setAttribute("aria-label", words);
      button.title = words;
    };
    const next = () => item.languages[(item.languages.indexOf(lang) + 1) % item.languages.length];
    button.addEventListener("click", async () => {
      try {
        const items = await fetchItems(session, next());
        const other = items.find((/** @type {Item} */ one) => one.administration === item.administration);
        const text = other && pick(other);
        if (!text) return;
        lang = next();
        fill(place, show({ ...text, fallback: false }));
        label();
      } catch {
        say(t("failed_load"));
      }
    });
    label();
    return button;
  };
}

// -- The kinds -------------------------------------------------------------------------------------

/** @typedef {(place: HTMLElement, pick: (item: Item) => LocalText | undefined) => HTMLElement | null} Flipper */

/** @param {string} id @returns {(item: Item) => LocalText | undefined} */
const pickOption = (id) => (item) => item.options.find((one) => one.id === id)?.text;

/** @param {"radio" | "checkbox"} type @returns {(item: Item, flipper: Flipper) => any} */
function makeChoices(type) {
  return (item, flipper) => {
    const rows = item.options.map((option) => {
      const text = h("span", { class: "option-text" }, show(option.text));
      const input = h("input", { type, name: "answer", value: option.id });
      const label = h("label", {}, input, text);
      return h(
        "div",
        { class: "option flippable", "data-option": option.id },
        label,
        flipper(text, pickOption(option.id)),
      );
    });
    const read = () => {
      const chosen = rows
        .map((row) => row.querySelector("input"))
        .filter((input) => input.checked)
        .map((input) => input.value);
      return chosen.length ? { options: chosen } : null;
    };
    return { rows, read };
  };
}

/** @param {Item} item */
function makeNumber(item) {
  const number = h("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    id: "number",
    "aria-labelledby": "hint",
  });
  const units = item.units ?? [];
  const unit =
    units.length > 1 &&
    h("select", { "aria-label": t("unit") }, ...units.map((one) => h("option", {}, one)));
  const fixed = units.length === 1 && h("span", { class: "unit" }, units[0]);
  const read = () => {
    const value = number.value.trim();
    if (!value) return null;
    return { value, ...(unit ? { unit: unit.value } : {}) };
  };
  return { rows: [h("div", { class: "number" }, number, unit, fixed)], read };
}

/** @param {Item} item @param {Flipper} flipper */
function makeOrder(item, flipper) {
  const rowsOf = h("ol", { class: "order" });
  for (const option of item.options) {
    const text = h("span", { class: "option-text" }, show(option.text));
    const move = (/** @type {"up" | "down"} */ way) =>
      h(
        "button",
        {
          type: "button",
          class: "move",
          "aria-label": t(`move_${way}`, { text: option.text.text }),
          onclick: () => moveRow(row, way),
        },
        way === "up" ? "\u2191" : "\u2193",
      );
    const row = h(
      "li",
      { class: "option flippable", "data-option": option.id },
      h("span", { class: "moves" }, move("up"), move("down")),
      text,
      flipper(text, pickOption(option.id)),
    );
    add(rowsOf, row);
  }
  const read = () => ({
    order: [...rowsOf.children].map((row) => /** @type {HTMLElement} */ (row).dataset.option),
  });
  return { rows: [rowsOf], read };
}

/** Keyboard and screen readers keep their place. @param {HTMLElement} row @param {"up" | "down"} way */
function moveRow(row, way) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  if (way === "up") row.previousElementSibling?.before(row);
  else row.nextElementSibling?.after(row);
  focused?.focus();
  const place = [...(row.parentElement?.children ?? [])].indexOf(row) + 1;
  say(t("moved", { n: place, text: row.querySelector(".option-text")?.textContent ?? "" }));
}

const BODIES = {
  single: makeChoices("radio"),
  multiple: makeChoices("checkbox"),
  numeric: makeNumber,
  ordering: makeOrder,
};

// -- After the answer ------------------------------------------------------------------------------

/** Say on the options themselves which was chosen and which is right: never by colour alone.
 * @param {HTMLElement} fields @param {Item} item @param {any} feedback */
function markOptions(fields, item, feedback) {
  if (item.kind === "numeric") return;
  if (item.kind === "ordering") {
    if (!feedback.correct) add(fields, listOrder(item, feedback.correct_options));
    return;
  }
  for (const row of fields.querySelectorAll(".option")) {
    const id = /** @type {HTMLElement} */ (row).dataset.option ?? "";
    const isKey = feedback.correct_options.includes(id);
    const isChosen = feedback.chosen_options.includes(id);
    row.classList.toggle("is-right", isKey);
    row.classList.toggle("is-wrong", isChosen && !isKey);
    const input = row.querySelector("input");
    if (input) input.checked = isChosen;
    const words = [isChosen && t("your_answer"), isKey && t("right_answer")].filter(Boolean);
    if (words.length)
      add(
        /** @type {Element} */ (row.querySelector(".option-text")),
        h(
          "span",
          { class: "tag", lang: interfaceLanguage },
          h("span", { "aria-hidden": "true" }, isKey ? "\u2713 " : "\u2717 "),
          words.join(", "),
        ),
      );
  }
}

/** @param {Item} item @param {string[]} order */
function listOrder(item, order) {
  const texts = order.map((id) => pickOption(id)(item)).filter((text) => text !== undefined);
  return h(
    "div",
    { class: "right-order" },
    h("p", {}, `\u2713 ${t("right_answer")}`),
    h("ol", {}, ...texts.map((text) => show(text, "li"))),
  );
}

/** The same question to look at, with what became of it. @param {Item} item @param {any} feedback */
export function showAnswered(item, feedback) {
  if (item.kind === "numeric" || item.kind === "ordering") {
    const order = feedback?.chosen_options ?? [];
    const texts = order.map((/** @type {string} */ id) => pickOption(id)(item)).filter(Boolean);
    return h("ol", { class: "looked-order" }, ...texts.map((/** @type {LocalText} */ one) => show(one, "li")));
  }
  const rows = item.options.map((option) => {
    const isKey = feedback?.correct_options.includes(option.id);
    const isChosen = feedback?.chosen_options.includes(option.id);
    const words = [isChosen && t("your_answer"), isKey && t("right_answer")].filter(Boolean);
    return h(
      "li",
      { class: isKey ? "is-right" : isChosen ? "is-wrong" : "" },
      show(option.text),
      words.length > 0 && " ",
      words.length > 0 && h("span", { class: "tag" }, `${isKey ? "\u2713" : "\u2717"} ${words.join(", ")}`),
    );
  });
  return h("ul", { class: "looked" }, ...rows);
}

/** Words for the heading of a list of questions. @param {Item} item */
export const nameItem = (item) => h("span", {}, ...markCode(item.stem.text));

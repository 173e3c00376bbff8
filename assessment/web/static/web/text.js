// Interface texts, texts of the bank with their own language, and numbers.

import { h } from "./dom.js";

/** @typedef {{text: string, lang: string, dir: string, fallback: boolean, status: string}} LocalText */

const CLIENT = JSON.parse(document.getElementById("client")?.textContent ?? "{}");

/** @type {string} */
export const interfaceLanguage = CLIENT.language ?? "en";
/** @type {Record<string, string>} */
export const languageNames = CLIENT.languages ?? {};
/** Where the library for a closer look at figures lies. @type {string} */
export const vegaSource = CLIENT.vega ?? "";

/** An interface text. @param {string} name @param {Record<string, string | number>} [values] */
export function t(name, values = {}) {
  const text = CLIENT.texts?.[name] ?? name;
  return text.replace(/%\((\w+)\)s/g, (/** @type {string} */ whole, /** @type {string} */ key) =>
    key in values ? String(values[key]) : whole,
  );
}

const CODE = new RegExp(
  [
    "`[^`]+`",
    "[A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w+)+(?:\\([^()\\s]*\\))?",
    "[A-Za-z_]\\w*\\(\\)",
    "\\b[a-z]+(?:_[a-z0-9]+)+(?:=\\w+)?",
  ].join("|"),
  "g",
);

/** The text with its identifiers as code, which no translation tool may touch.
 * @param {string} text @returns {(Node | string)[]} */
export function markCode(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    parts.push(text.slice(end, match.index));
    const code = match[0].replace(/^`|`$/g, "");
    parts.push(h("code", { translate: "no", dir: "ltr" }, code));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

/** A text of the bank: its own language and direction, and a quiet mark where it falls back.
 * @param {LocalText | null | undefined} local @param {string} [tag] @param {string} [className] */
export function show(local, tag = "span", className = "") {
  if (!local) return null;
  return h(
    tag,
    { lang: local.lang, dir: local.dir, class: `text ${className}`.trim() },
    ...markCode(local.text),
    local.fallback && markFallback(local.lang),
  );
}

/** @param {string} lang */
function markFallback(lang) {
  const words = t("other_language", { language: languageNames[lang] ?? lang });
  return h(
    "span",
    { class: "mark", title: words, lang: interfaceLanguage },
    h("span", { "aria-hidden": "true" }, lang),
    h("span", { class: "unseen" }, ` (${words})`),
  );
}

/** CLDR has next to no Wolof: numbers are written as in French. */
const LOCALE = interfaceLanguage === "wo" ? "fr" : interfaceLanguage;

/** @param {number} value @param {number} [digits] at most, significant @param {number} [least] at least */
export function formatNumber(value, digits = 4, least = 1) {
  const options = { maximumSignificantDigits: digits, minimumSignificantDigits: least };
  return new Intl.NumberFormat(LOCALE, options).format(value);
}

/** @param {number | null | undefined} value */
export function formatBytes(value) {
  if (value === null || value === undefined) return t("unknown");
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let place = 0;
  let shown = value;
  while (Math.abs(shown) >= 1024 && place < units.length - 1) {
    shown /= 1024;
    place += 1;
  }
  return `${formatNumber(shown, 3, place > 0 ? 3 : 1)}\u00a0${units[place]}`;
}

/** @param {string} moment */
export function formatTime(moment) {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(moment),
  );
}

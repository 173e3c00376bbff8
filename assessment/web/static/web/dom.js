// Elements without markup strings: nothing that comes from the network is ever parsed as HTML.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element. `on...` properties are listeners, `true` an empty attribute, null none.
 * @param {string} tag @param {Record<string, any>} [given] @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, given = {}, ...children) {
  /** @type {any} */
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value === "boolean") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, ...children);
  return element;
}

/** @param {Element} parent @param {...(Child | Child[])} children */
export function add(parent, ...children) {
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  return parent;
}

/** @param {Element} parent @param {...(Child | Child[])} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  return add(parent, ...children);
}

/** @param {string} id @returns {any} */
export const find = (id) => document.getElementById(id);

/** Told to screen readers without moving the focus. @param {string} text */
export function say(text) {
  const place = find("say");
  // The same words twice are a new announcement only when the text changes in between.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/** Focus on a heading that is no control. @param {HTMLElement} element */
export function focusOn(element, { scroll = true } = {}) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (!scroll) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
}

/** @param {string} id of a heading @param {string} className @param {...(Child | Child[])} children */
export function section(id, className, ...children) {
  return h("section", { class: className, "aria-labelledby": id }, ...children);
}

/** A folded part. @param {string} title @param {...(Child | Child[])} children */
export function fold(title, ...children) {
  return h("details", {}, h("summary", {}, title), h("div", { class: "folded" }, ...children));
}

// A figure to look at closely: its own specification, drawn here by Vega, with a cursor that
// reads the values under it. Vega comes only when a reader asks, and compiles nothing: the
// policy of the page forbids code made from text, so its expressions are interpreted.

import { fill, h } from "./dom.js";
import { fetchSpec } from "./evidence.js";
import { formatNumber, t, vegaSource } from "./text.js";

const LEAST_SPAN = 10;
// Operators side by side at the closest look.
const ERRORS = 1;
// Vega's own number; a layer without a row is no mistake of ours.
const TRIES = 60;
// Seconds; making the script takes a few.

/**
 * @typedef {{at: number, words: string}} Stop a place of the cursor, and what is read there
 * @typedef {{spec: any, stops: Stop[], first: number, isPath: boolean,
 *   canZoom: boolean}} Plan
 */

/** Draws the figure anew in its box. @param {HTMLElement} box @param {string} link its signed link
 * @param {string} alt @returns {Promise<HTMLElement>} the controls that belong below it */
export async function explore(box, link, alt) {
  const [plan, embed] = await Promise.all([fetchSpec(link).then(planFigure), loadVega()]);
  // The page has the figure's text alternative; Vega's marks shall not be named once more.
  const place = h("div", { class: "explored", "aria-hidden": "true" });
  const { view } = await embed(place, plan.spec, {
    mode: "vega-lite",
    ast: true,
    renderer: "svg",
    actions: false,
    defaultStyle: false,
    tooltip: false,
    logLevel: ERRORS,
  });
  fill(box, place, h("p", { class: "unseen" }, alt));
  return makeControls(view, plan, place);
}

/** The first reader after a start waits until the library is made; then it lies in the browser's
 * cache, from which it is run. @returns {Promise<any>} `vegaEmbed` */
async function loadVega() {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const reply = await fetch(vegaSource);
    if (reply.ok) {
      await reply.arrayBuffer();
      return (await import(vegaSource)).default;
    }
    if (reply.status !== 503) break;
    await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(reply.headers.get("Retry-After")) || 1)));
  }
  throw new Error("no Vega");
}

// -- The specification with a cursor ---------------------------------------------------------------

/** @param {any} spec @returns {Plan} */
function planFigure(spec) {
  const layers = spec.layer;
  const coloured = layers.filter((/** @type {any} */ one) => one.encoding.color && one.encoding.y);
  const main = coloured.reduce((/** @type {any} */ best, /** @type {any} */ one) =>
    one.data.values.length >= best.data.values.length ? one : best,
  );
  const path = coloured.find((/** @type {any} */ one) => one.mark.type === "line");
  const { $schema: _version, ...rest } = spec;
  return path ? followPath(rest, main, path) : visitMarks(rest, main);
}

/** A rule along the x axis, which reads every series. @param {any} spec @param {any} main
 * @param {any} path @returns {Plan} */
function followPath(spec, main, path) {
  const { x, y, color } = main.encoding;
  const holds = path.mark.interpolate === "step-after";
  const places = [...new Set(main.data.values.map((/** @type {any} */ one) => one[x.field]))].sort((a, b) => a - b);
  const series = color.scale.domain.map((/** @type {string} */ name) =>
    main.data.values.filter((/** @type {any} */ one) => one[color.field] === name),
  );
  const ends = series.map((/** @type {any[]} */ points) => points.at(-1)?.[x.field] ?? 0);
  const stops = places.map((at) => {
    const read = series.map((/** @type {any[]} */ points, /** @type {number} */ place) => {
      const found = holds
        ? at <= ends[place] && points.findLast((one) => one[x.field] <= at)
        : points.find((one) => one[x.field] === at);
      return found && `${color.scale.domain[place]} ${formatNumber(found[y.field], 3, 3)}`;
    });
    return { at, words: `${x.axis.title} ${formatNumber(at)}. ${y.axis.title}: ${read.filter(Boolean).join("; ")}` };
  });
  const peak = main.data.values.reduce((/** @type {any} */ best, /** @type {any} */ one) => (one[y.field] > best[y.field] ? one : best));
  const first = places.indexOf(peak[x.field]);
  const rule = {
    data: { values: [{}] },
    mark: { type: "rule", color: "#111111", strokeWidth: 1.5 },
    encoding: { x: { datum: { expr: "at" }, type: "quantitative" } },
  };
  const layers = holds ? spec.layer.map((/** @type {any} */ one) => cutLayer(one, x.field)) : spec.layer;
  const params = [
    { name: "at", value: places[first] },
    ...(holds ? [{ name: "from", value: places[0] }, { name: "to", value: places.at(-1) }] : []),
  ];
  return { spec: { ...spec, params, layer: [...layers, rule] }, stops, first, isPath: true, canZoom: holds };
}

/** The layer between `from` and `to` of the x axis. @param {any} layer @param {string} field */
function cutLayer(layer, field) {
  const scale = { ...layer.encoding.x.scale, domainMin: { expr: "from" }, domainMax: { expr: "to" }, nice: false };
  const encoding = { ...layer.encoding, x: { ...layer.encoding.x, scale } };
  const inside = { filter: `datum.${field} >= from && datum.${field} <= to` };
  // A line is cut at the edge; a point or a word is there or not.
  return ["line", "area", "rule"].includes(layer.mark.type)
    ? { ...layer, encoding, mark: { ...layer.mark, clip: true } }
    : { ...layer, encoding, transform: [...(layer.transform ?? []), inside] };
}

/** One mark after the other, the others faded. @param {any} spec @param {any} main @returns {Plan} */
function visitMarks(spec, main) {
  const { x, y, color } = main.encoding;
  const values = main.data.values.map((/** @type {any} */ one, /** @type {number} */ at) => ({ ...one, at }));
  const stops = values.map((/** @type {any} */ one) => {
    const names = [one[color.field], ...[x, y].filter((axis) => axis.type !== "quantitative").map((axis) => one[axis.field])];
    const numbers = [x, y]
      .filter((axis) => axis.type === "quantitative")
      .map((axis) => `${axis.axis.title} ${formatNumber(one[axis.field], 3, 3)}`);
    return { at: one.at, words: `${names.join(", ")}: ${numbers.join("; ")}` };
  });
  const opacity = { condition: { test: "datum.at === at", value: 1 }, value: 0.3 };
  const layer = spec.layer.map((/** @type {any} */ one) =>
    one === main ? { ...one, data: { values }, encoding: { ...one.encoding, opacity } } : one,
  );
  return { spec: { ...spec, params: [{ name: "at", value: 0 }], layer }, stops, first: 0, isPath: false, canZoom: false };
}

// -- The controls ----------------------------------------------------------------------------------

/** A slider for fingers and keys, the pointer over the figure, and a closer look.
 * @param {any} view @param {Plan} plan @param {HTMLElement} place */
function makeControls(view, { stops, first, isPath, canZoom }, place) {
  const words = h("p", { class: "cursor-words" });
  const slider = h("input", { type: "range", min: 0, max: stops.length - 1, step: 1, "aria-label": t("cursor") });
  slider.value = String(first);

  /** @param {number} number */
  const visit = (number) => {
    const stop = stops[number];
    slider.value = String(number);
    slider.setAttribute("aria-valuetext", stop.words);
    fill(words, stop.words);
    view.signal("at", stop.at).runAsync();
  };
  slider.addEventListener("input", () => visit(Number(slider.value)));
  view.addEventListener("pointermove", (/** @type {PointerEvent} */ event, /** @type {any} */ item) => {
    const number = isPath ? findNearest(view, place, event, stops) : stops.findIndex((one) => one.at === item?.datum?.at);
    if (number >= 0) visit(number);
  });
  visit(first);
  return h("div", { class: "cursor" }, words, h("div", { class: "cursor-row" }, slider, canZoom && makeZoom(view, stops, () => stops[Number(slider.value)].at)));
}

/** The stop under the pointer. @param {any} view @param {HTMLElement} place @param {PointerEvent} event @param {Stop[]} stops */
function findNearest(view, place, event, stops) {
  const drawing = /** @type {SVGSVGElement} */ (place.querySelector("svg"));
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM()?.inverse());
  const value = view.scale("x").invert(point.x - view.origin()[0] - view.padding().left);
  let nearest = 0;
  stops.forEach((one, number) => {
    if (Math.abs(one.at - value) < Math.abs(stops[nearest].at - value)) nearest = number;
  });
  return nearest;
}

/** @param {any} view @param {Stop[]} stops @param {() => number} getCursor */
function makeZoom(view, stops, getCursor) {
  const start = stops[0].at;
  const end = stops[stops.length - 1].at;
  let span = end - start;
  /** @param {number} factor */
  const zoom = (factor) => {
    span = Math.min(end - start, Math.max(LEAST_SPAN, span * factor));
    const from = Math.min(end - span, Math.max(start, getCursor() - span / 2));
    view.signal("from", from).signal("to", from + span).runAsync();
  };
  /** @param {string} sign @param {string} name @param {number} factor */
  const make = (sign, name, factor) =>
    h("button", { type: "button", class: "move", "aria-label": t(name), title: t(name), onclick: () => zoom(factor) }, sign);
  return [make("\u2212", "zoom_out", 2), make("+", "zoom_in", 0.5)];
}

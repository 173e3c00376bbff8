// What lies folded below the evidence: claims, numbers, more pictures, other numbers, provenance.

import { call, fetchBlob, makeKey, Problem } from "./api.js";
import { add, fill, fold, h, say } from "./dom.js";
import { fetchSpec, findFirstFigure, loadFigure, makeCloser, makeEvidence, MARKS, writeRelation } from "./evidence.js";
import { formatBytes, formatNumber, formatTime, show, t } from "./text.js";

const MAX_ROWS = 60;
// A longer table is in the trace that can be downloaded.

/** @param {any} told a demonstration @param {string} session */
export function makeDetails(told, session) {
  const parts = [
    told.narrative && fold(t("story"), show(told.narrative, "p")),
    !findFirstFigure(told) && told.memory && fold(t("numbers"), makeArms(told)),
    told.claims.length > 0 && fold(t("claims"), makeClaims(told.claims)),
    ...makePictures(told),
    ...(told.tables ?? []).map(makeTable),
    told.experiment && told.kind !== "what_if" && told.state !== "not_run" && makeWhatIf(told, session),
    told.provenance && makeProvenance(told, session),
  ];
  return h("div", { class: "details" }, ...parts);
}

// -- Claims ----------------------------------------------------------------------------------------

/** @param {any[]} claims */
function makeClaims(claims) {
  return h("ul", { class: "claims" }, ...claims.map(makeClaim));
}

/** @param {any} claim */
function makeClaim(claim) {
  const { observed, expected, verdict } = claim.display;
  return h(
    "li",
    { class: `claim verdict-${claim.verdict}` },
    h("span", { class: "claim-mark", "aria-hidden": "true" }, markOf(claim.verdict)),
    h(
      "div",
      {},
      show(claim.text),
      claim.about_choice && h("span", { class: "tag" }, t("about_choice")),
      claim.grade === "partial" && h("span", { class: "tag" }, t("partial_grade")),
      claim.predicts && h("p", { class: "quiet" }, show(claim.predicts.text)),
      h(
        "p",
        { class: "numbers" },
        verdict && h("b", {}, verdict),
        verdict && ". ",
        show(claim.told) ?? [
          `${t("observed")}: ${observed ?? t("unknown")}`,
          expected && `; ${t("expected")}: ${writeRelation(claim)}`,
        ],
      ),
    ),
  );
}

/** @param {string | null} verdict */
const markOf = (verdict) => (verdict && verdict in MARKS ? MARKS[/** @type {keyof typeof MARKS} */ (verdict)] : "\u2013");

// -- Tables ----------------------------------------------------------------------------------------

/** Every arm with its numbers, where there is no figure to have a table. @param {any} told */
function makeArms(told) {
  if (!told.memory) return null;
  /** @type {Record<string, number | null>} */
  const flops = Object.fromEntries(
    (told.flops?.arms ?? []).map((/** @type {any} */ arm) => [arm.name, arm.total]),
  );
  const rows = told.memory.arms.map((/** @type {any} */ arm) => [
    arm.label ?? arm.name,
    formatBytes(arm.stored),
    formatBytes(arm.peak),
    formatBytes(arm.total_peak),
    flops[arm.name] === undefined || flops[arm.name] === null ? t("unknown") : formatNumber(flops[arm.name] ?? 0, 4),
  ]);
  const columns = [t("arm"), t("stored"), t("peak"), t("total_peak"), t("flops")];
  return drawTable(columns, rows, t("numbers"));
}

/** @param {{title: string, headings: string[], display: (string | null)[][]}} table */
function makeTable(table) {
  const rows = table.display.slice(0, MAX_ROWS).map((row) => row.map((cell) => cell ?? "\u2013"));
  return fold(table.title, drawTable(table.headings, rows, table.title));
}

/** A table that scrolls by itself on a narrow screen, also by keyboard.
 * @param {string[]} columns @param {string[][]} rows @param {string} name */
function drawTable(columns, rows, name) {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
    h(
      "table",
      { "aria-label": name },
      h("thead", {}, h("tr", {}, ...columns.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(makeCell)))),
    ),
  );
}

/** @param {string} text @param {number} place */
const makeCell = (text, place) =>
  place === 0 ? h("th", { scope: "row" }, text) : h("td", { class: /^\D*\d/.test(text) ? "number-cell" : null }, text);

// -- Pictures --------------------------------------------------------------------------------------

/** The other figures, and under each its numbers. The first one stands open above.
 * @param {any} told */
function makePictures(told) {
  const first = findFirstFigure(told);
  return Object.keys(told.figures ?? {}).map((name) => {
    const box = h("div", { class: "figure-box" });
    const table = h("div", {});
    const alt = told.figure_alts?.[name];
    const part =
      name === first
        ? fold(t("numbers"), show(alt, "p"), table)
        : fold(t(`figure_${name}`), h("figure", { class: "figure" }, box, h("figcaption", {}, show(alt))), makeCloser(box, told, name), table);
    const open = () => {
      if (!part.open) return;
      part.removeEventListener("toggle", open);
      if (name !== first) loadFigure(box, told, name);
      loadTable(table, told.figures[name], `${t("numbers")}: ${t(`figure_${name}`)}`);
    };
    part.addEventListener("toggle", open);
    return part;
  });
}

/** The figure as a table: it comes with what the figure was drawn from.
 * @param {HTMLElement} place @param {string} link @param {string} name */
async function loadTable(place, link, name) {
  try {
    const { table } = (await fetchSpec(link)).usermeta;
    fill(place, drawTable(table.columns, table.rows, name));
  } catch {
    const again = h("button", { type: "button", class: "button small", onclick: () => loadTable(place, link, name) }, t("try_now"));
    fill(place, h("p", { role: "alert" }, t("failed_load")), again);
  }
}

// -- Other numbers ---------------------------------------------------------------------------------

/** The ranges come with the demonstration itself: asked for when somebody opens the form.
 * @param {any} told @param {string} session */
function makeWhatIf(told, session) {
  const place = h("div", {}, h("p", { class: "quiet" }, "\u2026"));
  const part = fold(t("what_if"), place);
  part.addEventListener(
    "toggle",
    async () => {
      if (!part.open || place.dataset.ready) return;
      try {
        const { body } = await call("GET", `demonstrations/${told.id}`, { session });
        if (!body.what_if) return fill(place, h("p", {}, t("unknown")));
        place.dataset.ready = "yes";
        fill(place, makeRanges(told, body.what_if, session));
      } catch {
        fill(place, h("p", { role: "alert" }, t("failed_load")));
      }
    },
  );
  return part;
}

/** @param {any} told @param {{left: number, parameters: any[]}} whatIf @param {string} session */
function makeRanges(told, whatIf, session) {
  const controls = whatIf.parameters.filter((one) => one.kind !== "ints").map(makeControl);
  const left = h("p", { class: "quiet" }, t("left", { n: whatIf.left }));
  const message = h("p", { role: "alert" });
  const results = h("div", { class: "what-if-results" });
  const button = h("button", { type: "submit", class: "button", disabled: whatIf.left === 0 }, t("run"));
  const form = h(
    "form",
    {
      class: "ranges",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        fill(message);
        button.disabled = true;
        try {
          const parameters = Object.fromEntries(controls.map((one) => [one.name, one.read()]).filter((pair) => pair[1] !== undefined));
          const { body } = await call("POST", `demonstrations/${told.id}/what-if`, {
            body: { parameters },
            key: makeKey(),
            session,
          });
          whatIf.left -= 1;
          fill(left, t("left", { n: Math.max(0, whatIf.left) }));
          const shown = makeEvidence(body, session, { isWhatIf: true });
          fill(results, shown.head, shown.body);
          say(t("being_measured"));
        } catch (error) {
          fill(message, describeProblem(error));
        }
        button.disabled = whatIf.left <= 0;
      },
    },
    ...controls.map((one) => one.element),
    left,
    button,
    message,
  );
  return h("div", {}, form, results);
}

/** @param {unknown} error */
function describeProblem(error) {
  if (!(error instanceof Problem)) return t("failed_load");
  if (error.code === "what_if_quota") return t("quota");
  const fields = error.errors.map((one) => `${one.field.replace("parameters.", "")}: ${one.message}`);
  return [error.message, ...fields].join(" ");
}

/** A slider, a list or a switch; `read` gives undefined where nothing was changed.
 * @param {any} one @returns {{name: string, element: HTMLElement, read: () => unknown}} */
function makeControl(one) {
  const id = `with-${one.name}-${makeKey().slice(0, 6)}`;
  const label = show(one.label) ?? h("code", {}, one.name);
  if (one.kind === "choice") {
    const select = h(
      "select",
      { id },
      ...one.choices.map((/** @type {string} */ choice) =>
        h("option", { value: choice, selected: choice === one.value }, choice),
      ),
    );
    const element = h("div", { class: "range" }, h("label", { for: id }, label), select);
    return { name: one.name, element, read: () => changed(select.value, one.value) };
  }
  if (one.kind === "bool") {
    const box = h("input", { type: "checkbox", id, checked: one.value === true });
    const element = h("div", { class: "range" }, h("label", { for: id }, label), box);
    return { name: one.name, element, read: () => changed(box.checked, one.value) };
  }
  return makeSlider(one, id, label);
}

/** @param {any} one @param {string} id @param {Node} label */
function makeSlider(one, id, label) {
  const step = one.kind === "int" ? 1 : (one.maximum - one.minimum) / 100;
  const slider = h("input", { type: "range", id, min: one.minimum, max: one.maximum, step, value: one.value });
  slider.value = String(one.value);
  const output = h("output", { for: id }, formatNumber(Number(one.value)));
  slider.addEventListener("input", () => fill(output, formatNumber(Number(slider.value))));
  const start = slider.value;
  const element = h("div", { class: "range" }, h("label", { for: id }, label), slider, output);
  const read = () => (slider.value === start ? undefined : Number(slider.value));
  return { name: one.name, element, read };
}

/** @param {unknown} value @param {unknown} before */
const changed = (value, before) => (value === before ? undefined : value);

// -- Where it comes from ---------------------------------------------------------------------------

/** @param {any} told @param {string} session */
function makeProvenance(told, session) {
  const { provenance, environment, timing } = told;
  const ratio = timing?.ratio
    ? `\u00d7${formatNumber(timing.ratio, 3)}${timing.ratio_ci95 ? ` (\u00d7${timing.ratio_ci95.map((/** @type {number} */ one) => formatNumber(one, 3)).join(" \u2013 \u00d7")})` : ""}`
    : null;
  const rows = [
    [t("device"), `${environment?.device_name ?? ""} (${environment?.device ?? ""})`],
    [t("versions"), `torch ${environment?.torch}, Python ${environment?.python}`],
    [t("threads"), String(environment?.threads ?? t("unknown"))],
    [t("seed"), String(provenance.seed)],
    [t("passes"), provenance.passes.join(", ")],
    ratio && [t("time_ratio"), ratio],
    told.times?.finished_at && [t("finished_at"), formatTime(told.times.finished_at)],
    [t("code_digest"), provenance.code_digest.slice(0, 16)],
  ].filter((row) => Array.isArray(row));
  const message = h("p", { role: "alert" });
  return fold(
    t("how_measured"),
    h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("p", {}, t("command"), ":"),
    h("pre", { tabindex: "0", translate: "no", "aria-label": t("command"), role: "region" }, h("code", {}, provenance.command)),
    h("button", { type: "button", class: "button small", onclick: () => download(told, session, message) }, t("trace")),
    message,
  );
}

/** @param {any} told @param {string} session @param {HTMLElement} message */
async function download(told, session, message) {
  fill(message);
  try {
    const blob = await fetchBlob(told.links.trace, session);
    const link = h("a", { href: URL.createObjectURL(blob), download: `trace-${told.experiment}-${told.id.slice(0, 8)}.json` });
    add(document.body, link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch {
    fill(message, t("trace_failed"));
  }
}

// One line at the top: no network, answers waiting, a service that does not answer.

import { fill, find, h } from "./dom.js";
import { flush, getTrouble, isOver, listWaiting, onChange, onOutcome } from "./outbox.js";
import { Problem } from "./api.js";
import { t } from "./text.js";

/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;
/** Answers that were sent after the learner had gone on. */
let numLate = 0;
/** @type {Set<string>} */
const late = new Set();
let lateSession = "";

export function watchNetwork() {
  onChange(refresh);
  onOutcome((outcome) => {
    const { key, session } = outcome.entry;
    if (outcome.state === "kept") late.add(key);
    else if (late.delete(key) && outcome.state === "sent" && !isShown(outcome.entry)) {
      numLate += 1;
      lateSession = session;
    }
  });
  addEventListener("online", refresh);
  refresh();
}

/** The question is still on the screen: its feedback comes there. @param {any} entry */
const isShown = (entry) => find("main").dataset.administration === entry.administration;

/** Forget the note about late answers, once their feedback is on the screen. */
export function clearLate() {
  numLate = 0;
  refresh();
}

async function refresh() {
  clearInterval(ticking);
  const banner = find("banner");
  const waiting = await listWaiting();
  const trouble = getTrouble();
  const words = describe(waiting.length, trouble);
  banner.classList.toggle("is-quiet", words === null);
  if (words === null && numLate > 0)
    fill(banner, h("a", { href: `#result=${lateSession}` }, t("sent_later", { n: numLate })));
  else if (words !== null)
    fill(
      banner,
      h("span", {}, words),
      waiting.length > 0 && h("span", { class: "count" }, ` ${t("unsent", { n: waiting.length })}`),
      waiting.length > 0 && h("button", { type: "button", class: "button small", onclick: () => flush() }, t("try_now")),
    );
  else fill(banner);
  banner.hidden = words === null && numLate === 0;
  if (trouble && trouble.until > Date.now() && navigator.onLine) ticking = setInterval(tick, 1000);
}

/** @param {number} numWaiting @param {ReturnType<typeof getTrouble>} trouble */
function describe(numWaiting, trouble) {
  if (trouble && isOver(trouble.error)) return t("token_over");
  if (!navigator.onLine) return t("offline");
  if (numWaiting > 0 && trouble) {
    const seconds = Math.max(1, Math.ceil((trouble.until - Date.now()) / 1000));
    return trouble.error instanceof Problem ? t("unavailable", { n: seconds }) : t("offline");
  }
  return null;
}

/** Only the seconds change: the banner is a live region and must not be read every second. */
function tick() {
  const trouble = getTrouble();
  if (!trouble || trouble.until <= Date.now()) clearInterval(ticking);
}

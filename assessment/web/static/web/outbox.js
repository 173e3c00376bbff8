// Answers on their way: written to the disk first, sent in order, each under its own key, so
// that a lost reply, a reload or a dead battery neither loses nor doubles one.

import { call, makeKey, Problem, Unreachable } from "./api.js";
import { list, put, remove } from "./store.js";

/**
 * @typedef {{key: string, session: string, administration: string, position: number,
 *   body: Record<string, unknown>}} Entry
 * @typedef {{entry: Entry, state: "sent", reply: any, isShown?: boolean}
 *   | {entry: Entry, state: "refused", problem: Problem, isShown?: boolean}
 *   | {entry: Entry, state: "kept", error: Problem | Unreachable, isShown?: boolean}} Outcome
 *   `isShown` is set by the screen that still shows the question.
 */

const FIRST_PAUSE_S = 2;
const LONGEST_PAUSE_S = 30;

const events = new EventTarget();
let pauseS = FIRST_PAUSE_S;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** `until` by the page's own clock, which nobody sets. @type {{error: Problem | Unreachable, until: number} | null} */
let trouble = null;

/** Everything that becomes of answers. @param {(outcome: Outcome) => void} listener */
export function onOutcome(listener) {
  events.addEventListener("outcome", (event) => listener(/** @type {any} */ (event).detail));
}

/** @param {() => void} listener */
export function onChange(listener) {
  events.addEventListener("change", listener);
}

/** The latest trouble and when the next try is due; null while all is well. */
export const getTrouble = () => trouble;

/** In the order of the questions: a device's clock may have jumped between two answers.
 * @param {string} [session] @returns {Promise<Entry[]>} */
export async function listWaiting(session) {
  const all = await list("queue");
  return all
    .filter((one) => session === undefined || one.session === session)
    .sort((one, other) => one.session.localeCompare(other.session) || one.position - other.position);
}

/** Keep an answer and try to send it. @param {Omit<Entry, "key">} given @returns {Promise<Outcome>} */
export async function submit(given) {
  const entry = { ...given, key: makeKey() };
  await put("queue", entry);
  announce();
  /** @type {Outcome | undefined} */
  let own;
  const listener = (/** @type {any} */ event) => {
    if (event.detail.entry.key === entry.key) own = event.detail;
  };
  events.addEventListener("outcome", listener);
  await flush();
  events.removeEventListener("outcome", listener);
  return own ?? { entry, state: "kept", error: trouble?.error ?? new Unreachable("waiting") };
}

/** @type {Promise<void>} */
let flushing = Promise.resolve();

/** Send all that waits; one tab at a time. */
export function flush() {
  // A second call waits for a round that surely began after it, also where one broke.
  flushing = flushing.catch(() => undefined).then(() => withLock(sendAll));
  return flushing;
}

/** @param {() => Promise<void>} work @returns {Promise<void>} */
async function withLock(work) {
  if (navigator.locks) await navigator.locks.request("remat-outbox", work);
  else await work();
}

async function sendAll() {
  clearTimeout(timer);
  trouble = null;
  /** Sessions that nobody here may speak for any more: they must not hold up the others. @type {Set<string>} */
  const shut = new Set();
  for (const entry of await listWaiting()) {
    if (shut.has(entry.session)) continue;
    const outcome = await send(entry);
    if (outcome.state !== "kept") {
      pauseS = FIRST_PAUSE_S;
      await remove("queue", entry.key);
    } else if (isOver(outcome.error)) {
      shut.add(entry.session);
      trouble = { error: outcome.error, until: 0 };
    } else plan(outcome.error);
    tell(outcome);
    if (outcome.state === "kept" && !shut.has(entry.session)) break;
  }
  announce();
}

/** @param {Entry} entry @returns {Promise<Outcome>} */
async function send(entry) {
  try {
    const { body } = await call("POST", `sessions/${entry.session}/responses`, {
      body: entry.body,
      key: entry.key,
      session: entry.session,
    });
    return { entry, state: "sent", reply: body };
  } catch (error) {
    if (error instanceof Problem && !error.isPassing && !isOver(error))
      return { entry, state: "refused", problem: error };
    if (error instanceof Problem || error instanceof Unreachable)
      return { entry, state: "kept", error };
    throw error;
  }
}

/** Nothing but a new sign-in helps. @param {unknown} error */
export const isOver = (error) => error instanceof Problem && error.status === 401;

/** Try again by itself: as the service asks, else in growing pauses. @param {Problem | Unreachable} error */
function plan(error) {
  const asked = error instanceof Problem ? error.retryAfter : null;
  const wait = asked ?? pauseS;
  pauseS = Math.min(pauseS * 2, LONGEST_PAUSE_S);
  trouble = { error, until: performance.now() + wait * 1000 };
  timer = setTimeout(flush, wait * 1000);
}

/** @param {Outcome} detail */
function tell(detail) {
  events.dispatchEvent(new CustomEvent("outcome", { detail }));
}

function announce() {
  events.dispatchEvent(new Event("change"));
}

addEventListener("online", () => flush());
addEventListener("offline", announce);

// The learner's client: which screen the address asks for, and what to do when one fails.

import { Problem, Unreachable, useHandoff } from "./api.js";
import { clearLate, watchNetwork } from "./banner.js";
import { fill, find, focusOn, h } from "./dom.js";
import { flush } from "./outbox.js";
import { showResult } from "./result.js";
import { leaveScreen, openSession } from "./session.js";
import { showStart } from "./start.js";
import { t } from "./text.js";

const main = find("main");

/** `#session=ID`, `#result=ID`, `#handoff=SECRET`, else the choice of a quiz. */
async function route() {
  const [name, value = ""] = location.hash.slice(1).split("=");
  leaveScreen();
  try {
    if (name === "handoff") await takeOver(value);
    else if (name === "session") await openSession(main, value);
    else if (name === "result") {
      await showResult(main, value);
      clearLate();
    } else await showStart(main, new URLSearchParams(location.search).get("quiz"));
  } catch (error) {
    await showFailure(error);
  }
}

/** @param {string} secret */
async function takeOver(secret) {
  // The secret works once: it must not stay in the address or the history.
  history.replaceState(null, "", "/learn/");
  try {
    const session = await useHandoff(secret);
    location.hash = `#session=${session}`;
    // Answers that waited here for a new sign-in.
    flush();
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return showStart(main, null, t("handoff_failed"));
    throw error;
  }
}

/** A page that says what to do, for every failure we know. @param {unknown} error */
async function showFailure(error) {
  if (error instanceof Problem && error.status === 404 && location.hash) {
    history.replaceState(null, "", "/learn/");
    return showStart(main, null, t("not_there"));
  }
  if (!(error instanceof Problem) && !(error instanceof Unreachable)) throw error;
  const isOver = error instanceof Problem && error.status === 401;
  const words = isOver ? t("token_over") : t(navigator.onLine ? "failed_load" : "offline");
  const heading = h("h1", { tabindex: "-1" }, words);
  const button = h("button", { type: "button", class: "button", onclick: route }, t("try_now"));
  fill(main, h("div", { class: "card failure", role: "alert" }, heading, error instanceof Problem && !isOver && error.code !== "unknown" && h("p", { class: "quiet" }, error.message), button));
  focusOn(heading, { scroll: false });
}

/** The page and its files for a reload without a network; after everything that matters. */
async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/learn/worker.js", { scope: "/learn/" });
    const cache = await caches.open("remat-1");
    const links = [...document.querySelectorAll("link[rel=modulepreload], link[rel=stylesheet], link[rel=icon], script[src]")];
    const files = links.map((one) => one.getAttribute("href") ?? one.getAttribute("src") ?? "");
    await cache.addAll([...new Set(files)].filter(Boolean));
    await cache.add("/learn/");
  } catch {
    // Without it a reload needs the network, as everywhere else.
  }
}

/** The language links keep the place in the quiz. */
function keepPlace() {
  for (const link of document.querySelectorAll(".languages a"))
    link.addEventListener("click", () => {
      const target = new URL(/** @type {HTMLAnchorElement} */ (link).href);
      const quiz = new URLSearchParams(location.search).get("quiz");
      if (quiz) target.searchParams.set("quiz", quiz);
      target.hash = location.hash;
      /** @type {HTMLAnchorElement} */ (link).href = target.href;
    });
}

addEventListener("hashchange", route);
keepPlace();
watchNetwork();
// What still waits goes first, but a dumb service must not keep the page blank.
await Promise.race([flush(), new Promise((resolve) => setTimeout(resolve, 4000))]);
await route();
document.documentElement.setAttribute("data-ready", "");
if ("requestIdleCallback" in window) requestIdleCallback(() => keepPage());
else setTimeout(keepPage, 3000);

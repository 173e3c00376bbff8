// Keeps the learner's page and its files, so that a reload without a network still opens it.
// Quiz content never goes through here: the page keeps that in IndexedDB.
"use strict";
const CACHE = "remat-1";
const PATIENCE_MS = 5000;
// A network that neither answers nor fails is none.
const FILE = /^\/assets\/[0-9a-f]{16}\//;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (FILE.test(url.pathname)) event.respondWith(fromCacheFirst(event.request));
  else if (url.pathname === "/learn/" && event.request.mode === "navigate")
    event.respondWith(fromNetworkFirst(event.request));
});

/** @param {Request} request */
async function fromCacheFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.ok) await keepAsset(cache, request, reply.clone());
  return reply;
}

/** Files of one version only: those of an older page are dropped.
 * @param {Cache} cache @param {Request} request @param {Response} reply */
async function keepAsset(cache, request, reply) {
  const folder = new URL(request.url).pathname.split("/").slice(0, 3).join("/");
  for (const old of await cache.keys()) {
    const path = new URL(old.url).pathname;
    if (path.startsWith("/assets/") && !path.startsWith(folder + "/")) await cache.delete(old);
  }
  await cache.put(request, reply);
}

/** The page, whatever its query: its language comes from the cookie that the server read.
 * @param {Request} request */
async function fromNetworkFirst(request) {
  const cache = await caches.open(CACHE);
  const coming = fetch(request).then(async (reply) => {
    if (reply.ok) await cache.put("/learn/", reply.clone());
    return reply;
  });
  coming.catch(() => undefined);
  const kept = await cache.match("/learn/");
  if (!kept) return coming;
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  try {
    const reply = await Promise.race([coming, late]);
    return reply.status >= 500 ? kept : reply;
  } catch {
    return kept;
  }
}

// The public API: tokens, renewal, problem details, ETags. Nothing else of the service is used.

import { interfaceLanguage } from "./text.js";
import { readSetting, writeSetting } from "./store.js";

const BASE = "/api/v1/";
const TIMEOUT_MS = 30000;

/** The service said no; `code` is one of the API's stable codes. */
export class Problem extends Error {
  /** @param {number} status @param {any} body @param {number | null} retryAfter seconds */
  constructor(status, body, retryAfter) {
    super(body?.detail ?? body?.title ?? `HTTP ${status}`);
    this.status = status;
    /** @type {string} */
    this.code = body?.code ?? "unknown";
    /** @type {{field: string, message: string}[]} */
    this.errors = body?.errors ?? [];
    this.retryAfter = retryAfter;
  }

  /** Worth trying the same again later. */
  get isPassing() {
    return this.status === 429 || this.status >= 500 || this.status === 408;
  }
}

/** No reply at all: no network, or nobody there. */
export class Unreachable extends Error {}

/**
 * @typedef {{status: number, body: any, etag: string | null, retryAfter: number | null}} Reply
 * @typedef {{body?: unknown, key?: string, session?: string, etag?: string | null,
 *   language?: string, isPublic?: boolean}} Options
 */

/** One exchange as the reader of a session (or as the guest); a stale token is renewed once.
 * @param {string} method @param {string} path @param {Options} [options] @returns {Promise<Reply>} */
export async function call(method, path, options = {}) {
  if (options.isPublic) return check(await exchange(method, path, options, null));
  const token = await getToken(options.session);
  let reply = await exchange(method, path, options, token);
  if (reply.status === 401) {
    const fresh = await renewToken(options.session, token);
    reply = await exchange(method, path, options, fresh);
  }
  return check(reply);
}

/** @param {Reply} reply */
function check(reply) {
  if (reply.status === 304 || (reply.status >= 200 && reply.status < 300)) return reply;
  throw new Problem(reply.status, reply.body, reply.retryAfter);
}

/** @param {string} method @param {string} path @param {Options} options @param {string | null} token
 * @returns {Promise<Reply>} */
async function exchange(method, path, options, token) {
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": options.language ?? interfaceLanguage };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.key) headers["Idempotency-Key"] = options.key;
  if (options.etag) headers["If-None-Match"] = options.etag;
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path.startsWith("/") ? path : BASE + path, {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: abort.signal,
      cache: "no-store",
    });
    const text = await response.text();
    const wait = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
    return {
      status: response.status,
      body: parse(text),
      etag: response.headers.get("ETag"),
      retryAfter: Number.isFinite(wait) ? wait : null,
    };
  } catch (error) {
    throw new Unreachable(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** A proxy's error page is no JSON. @param {string} text */
function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

export function makeKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // Plain http on another host than localhost has no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
}

// -- Who is reading ---------------------------------------------------------------------------------

/** @param {string | undefined} session @returns {Promise<string>} */
async function getToken(session) {
  const handed = session ? (readSetting("handed") ?? {})[session] : null;
  return handed ?? readSetting("guest")?.token ?? (await becomeGuest());
}

/** @type {Promise<string> | null} */
let becoming = null;

function becomeGuest() {
  becoming ??= call("POST", "guests", { body: {}, isPublic: true })
    .then(({ body }) => {
      writeSetting("guest", { token: body.token, secret: body.secret });
      return body.token;
    })
    .finally(() => (becoming = null));
  return becoming;
}

/** A guest's secret renews the token; what was handed over cannot be renewed here.
 * @param {string | undefined} session @param {string} stale @returns {Promise<string>} */
async function renewToken(session, stale) {
  const handed = session ? (readSetting("handed") ?? {})[session] : null;
  const guest = readSetting("guest");
  if (handed || !guest?.secret) throw new Problem(401, { code: "token_over" }, null);
  // Another tab may have renewed it meanwhile.
  if (guest.token !== stale) return guest.token;
  try {
    const { body } = await call("POST", "guests/renew", {
      body: { secret: guest.secret },
      isPublic: true,
    });
    writeSetting("guest", { ...guest, token: body.token });
    return body.token;
  } catch (error) {
    if (!(error instanceof Problem) || error.isPassing) throw error;
    if (session) throw new Problem(401, { code: "token_over" }, null);
    // The service forgot this guest, and nothing is waiting for them: begin as a new one.
    return becomeGuest();
  }
}

/** Take over a session from another device. @param {string} secret @returns {Promise<string>} */
export async function useHandoff(secret) {
  const { body } = await call("POST", "handoffs", { body: { secret }, isPublic: true });
  writeSetting("handed", { ...(readSetting("handed") ?? {}), [body.session]: body.token });
  return body.session;
}

/** Download something that needs the token. @param {string} path @param {string} session */
export async function fetchBlob(path, session) {
  const { body } = await call("GET", path, { session });
  return new Blob([JSON.stringify(body)], { type: "application/json" });
}

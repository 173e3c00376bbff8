// What is kept on the device: answers not sent yet and the questions of open sessions
// (IndexedDB), and who the reader is (localStorage). Where a browser keeps nothing, memory does.

/** What the browser did not keep: it lasts as long as the page. @type {Map<string, any>} */
const memory = new Map();

/** @param {string} name @returns {any} */
export function readSetting(name) {
  if (memory.has(name)) return memory.get(name);
  try {
    return JSON.parse(localStorage.getItem(`remat.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value */
export function writeSetting(name, value) {
  try {
    localStorage.setItem(`remat.${name}`, JSON.stringify(value));
    memory.delete(name);
  } catch {
    // Private windows of some browsers keep nothing, and a disk may be full.
    memory.set(name, value);
  }
}

const OPENING_MS = 3000;
// Some browsers never answer: then the page goes on with memory alone.

/** @type {Promise<IDBDatabase | null> | null} */
let opening = null;

function open() {
  opening ??= new Promise((resolve) => {
    setTimeout(() => resolve(null), OPENING_MS);
    try {
      const request = indexedDB.open("remat", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("queue", { keyPath: "key" });
        request.result.createObjectStore("sessions", { keyPath: "id" });
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
      request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opening;
}

/** What the disk did not take: no database, or no room. @type {Record<string, Map<string, any>>} */
const rows = { queue: new Map(), sessions: new Map() };

/** Whether an answer is kept by this page alone, and lost when it is closed. */
export const isFragile = () => rows.queue.size > 0;

/** One transaction; undefined where the disk does not do it.
 * @param {"queue" | "sessions"} name @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} work @returns {Promise<IDBRequest | undefined>} */
async function use(name, mode, work) {
  const database = await open();
  if (database === null) return undefined;
  return new Promise((resolve) => {
    try {
      const transaction = database.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request);
      transaction.onabort = () => resolve(undefined);
    } catch {
      // The browser closed the database: the next use opens it again.
      opening = null;
      resolve(undefined);
    }
  });
}

/** Resolves once the row is on the disk, or in memory where the disk takes none.
 * @param {"queue" | "sessions"} name @param {any} row */
export async function put(name, row) {
  const key = row.key ?? row.id;
  const isKept = await use(name, "readwrite", (store) => store.put(row));
  if (isKept) rows[name].delete(key);
  else rows[name].set(key, row);
}

/** @param {"queue" | "sessions"} name @param {string} key */
export async function remove(name, key) {
  rows[name].delete(key);
  await use(name, "readwrite", (store) => store.delete(key));
}

/** @param {"queue" | "sessions"} name @param {string} key @returns {Promise<any>} */
export async function get(name, key) {
  return rows[name].get(key) ?? (await use(name, "readonly", (store) => store.get(key)))?.result;
}

/** @param {"queue" | "sessions"} name @returns {Promise<any[]>} */
export async function list(name) {
  const kept = (await use(name, "readonly", (store) => store.getAll()))?.result ?? [];
  return [...kept.filter((/** @type {any} */ one) => !rows[name].has(one.key ?? one.id)), ...rows[name].values()];
}

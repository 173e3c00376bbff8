// What is kept on the device: answers not sent yet and the questions of open sessions
// (IndexedDB), and who the reader is (localStorage). Where a browser keeps nothing, memory does.

const memory = new Map();

/** @param {string} name @returns {any} */
export function readSetting(name) {
  try {
    return JSON.parse(localStorage.getItem(`remat.${name}`) ?? "null");
  } catch {
    return memory.get(name) ?? null;
  }
}

/** @param {string} name @param {unknown} value */
export function writeSetting(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`remat.${name}`, JSON.stringify(value));
  } catch {
    // Private windows of some browsers keep nothing; memory lasts as long as the page.
  }
}

/** @type {Promise<IDBDatabase | null> | null} */
let opening = null;

function open() {
  opening ??= new Promise((resolve) => {
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

/** @type {Record<string, Map<string, any>>} */
const rows = { queue: new Map(), sessions: new Map() };

/**
 * @param {"queue" | "sessions"} name @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} work @param {() => any} fallback
 * @returns {Promise<any>}
 */
async function use(name, mode, work, fallback) {
  const database = await open();
  if (database === null) return fallback();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Resolves once the row is on the disk. @param {"queue" | "sessions"} name @param {any} row */
export function put(name, row) {
  const key = row.key ?? row.id;
  return use(name, "readwrite", (store) => store.put(row), () => rows[name].set(key, row));
}

/** @param {"queue" | "sessions"} name @param {string} key */
export function remove(name, key) {
  return use(name, "readwrite", (store) => store.delete(key), () => rows[name].delete(key));
}

/** @param {"queue" | "sessions"} name @param {string} key */
export function get(name, key) {
  return use(name, "readonly", (store) => store.get(key), () => rows[name].get(key));
}

/** @param {"queue" | "sessions"} name @returns {Promise<any[]>} */
export function list(name) {
  return use(name, "readonly", (store) => store.getAll(), () => [...rows[name].values()]);
}

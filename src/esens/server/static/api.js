// Calls to the service this page came from, and its errors as a person would like to read them.

const KEY = "esens.key";

export const key = {
  read: () => sessionStorage.getItem(KEY) ?? "",
  write: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
};

export class ServiceError extends Error {
  constructor(status, { code = "", message, remedy = "", argument = null }, requestId = "") {
    super(message);
    Object.assign(this, { status, code, remedy, argument, requestId });
  }

  get needsKey() {
    return this.status === 401 || this.status === 403;
  }

  /** What happened, and what to do about it. */
  get words() {
    const own = WORDS[this.code] ?? WORDS[this.status];
    if (own) return own;
    const about = NAMES[this.argument] ?? this.argument;
    const id = this.status >= 500 && this.requestId ? ` (request ${this.requestId})` : "";
    return [sentence(about ? `${about}: ${this.message}` : this.message), sentence(this.remedy + id)];
  }
}

const NAMES = { query: "The query", exclude: "What is excluded", "decomposition.target": "What is wanted" };
const WORDS = {
  offline: ["The service does not answer.", "See whether it is still running, start it if it is not, and try again."],
  garbled: ["Something answered that is not this service.", "Perhaps a proxy stands between; load the page again."],
  unauthorized: ["This service needs a key.", "Enter the one that you were given."],
  forbidden: ["This key does not allow searching.", "Enter one with the scope “read”."],
  busy: ["The service is busy just now.", "Try again in a moment."],
  stopping: ["The service is about to stop.", "Try again when it is back."],
  timeout: ["This took too long.", "Try again, or ask for something shorter."],
  no_such_collection: ["There is no such collection here.", "Choose another one beside the search box."],
};

export const listCollections = () => call("v1/collections");
export const readEvaluation = () => call("v1/evaluation");
export const search = (body, signal) => call("v1/search", { body, signal });

async function call(path, { body, signal } = {}) {
  const headers = {};
  if (key.read()) headers.Authorization = `Bearer ${key.read()}`;
  if (body) headers["Content-Type"] = "application/json";
  let response, answer;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError(0, { code: "offline", message: "no answer" });
  }
  try {
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    answer = null;
  }
  if (response.ok && answer) return answer;
  const problem = answer?.error ?? { code: "garbled", message: "no answer of this service" };
  throw new ServiceError(response.status, problem, response.headers.get("X-Request-ID") ?? "");
}

function sentence(text) {
  const words = text.trim();
  if (!words) return "";
  return words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
}

// Asks the API of this page's own origin.

/** A refusal of the API: a sentence, and the fields that are wrong. */
class Refused extends Error {
  constructor(status, { error, fields = [] }) {
    super(error);
    Object.assign(this, { status, fields });
  }
}

/** The token that the server may ask for; it comes after the # of the address and is kept as long as the tab. */
const key = {
  get: () => sessionStorage.getItem("token"),
  set: (word) => sessionStorage.setItem("token", word),
  read() {
    const given = new URLSearchParams(location.hash.slice(1)).get("token");
    if (!given) return;
    key.set(given);
    history.replaceState(null, "", location.pathname);
  },
};

/** The answer to a request; a refusal is thrown. */
async function ask(method, path, body) {
  const headers = {};
  if (method !== "GET") headers["Content-Type"] = "application/json";
  if (key.get()) headers.Authorization = `Bearer ${key.get()}`;
  let reply;
  try {
    reply = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refused(0, { error: "derate serve does not answer: has it ended, or the tunnel?" });
  }
  const answer = await reply.json().catch(() => ({ error: `the answer was not JSON (${reply.status})` }));
  if (!reply.ok) throw new Refused(reply.status, answer);
  return answer;
}

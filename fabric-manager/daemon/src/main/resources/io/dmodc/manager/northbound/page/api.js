// What the page asks the manager. Paths are relative, so that it also works behind a proxy with a prefix.

const PATIENCE_MS = 10_000;

/** Fetches JSON; throws an Error with the manager's own line, and the status of its answer, when it says no. */
export async function get(path) {
  const answer = await fetch(`api/v1/${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) {
    // A proxy between the two may answer with anything.
    const problem = await answer.json().catch(() => ({}));
    const error = new Error(problem.detail ?? `${answer.status} ${answer.statusText}`);
    throw Object.assign(error, { status: answer.status });
  }
  return answer.json();
}

/**
 * Follows the events. The browser reconnects by itself and says where it was; after a refusal it is tried again here.
 *
 * handlers: note(event), lost(count), state(connected)
 */
export function follow(after, handlers) {
  const source = new EventSource(`api/v1/events/stream?after=${after}`);
  let seen = after;
  source.addEventListener("note", (message) => {
    seen = Number(message.lastEventId);
    handlers.note(JSON.parse(message.data));
  });
  source.addEventListener("lost", (message) => handlers.lost(JSON.parse(message.data).count));
  source.addEventListener("open", () => handlers.state(true));
  source.addEventListener("error", () => {
    handlers.state(false);
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => follow(seen, handlers), 3000);
    }
  });
}

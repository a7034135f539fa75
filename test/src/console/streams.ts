import type { Api } from '../api.js';

/** A user has ten streams of events: how many more can be opened. */
export async function freeStreams(api: Api): Promise<number> {
  const opened: AbortController[] = [];
  // Answers that nobody holds are ended by the collector of garbage.
  const held: Response[] = [];
  for (;;) {
    const stop = new AbortController();
    const answer = await fetch(`${api.baseUrl}/api/events`, {
      headers: { authorization: `Bearer ${api.token}` },
      signal: stop.signal,
    });
    held.push(answer);
    if (answer.status !== 200) break;
    opened.push(stop);
  }
  for (const stop of opened) stop.abort();
  return opened.length;
}

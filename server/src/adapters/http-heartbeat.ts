import type { Heartbeat } from '@holdfast/core/server';

const timeoutMs = 10_000;
const maxRedirects = 3;
const longestProblem = 1_000;

/**
 * Asks the address with GET while all is well, and its subpath `/fail` with POST and the problem when not, as
 * healthchecks.io expects. Follows redirects on the same host only. No error contains the address.
 */
export const httpHeartbeat = (address: string): Heartbeat => ({
  async beat(problem) {
    const { url, headers } = opened(address);
    if (problem !== null) url.pathname = `${url.pathname.replace(/\/$/, '')}/fail`;
    const request = {
      headers,
      redirect: 'manual' as const,
      signal: AbortSignal.timeout(timeoutMs),
      ...(problem === null ? { method: 'GET' } : { method: 'POST', body: problem.slice(0, longestProblem) }),
    };
    let at = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const answer = await ask(at, request);
      const next = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
      await answer.body?.cancel();
      if (answer.ok) return;
      if (next === null || !URL.canParse(next, at.href))
        throw new Error(`it responded with status ${answer.status}`);
      const to = new URL(next, at);
      if (to.host !== at.host || to.protocol !== at.protocol) throw new Error('it redirects to another host');
      at = to;
    }
    throw new Error('it redirects too often');
  },
});

async function ask(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      throw new Error(`it did not respond within ${timeoutMs / 1000} s`);
    }
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    throw new Error(typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed');
  }
}

/** A user and password in the address go into a header, as fetch takes none in an address. */
function opened(address: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  if (username === '' && password === '') return { url, headers: {} };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

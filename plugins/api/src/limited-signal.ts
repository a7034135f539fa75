/** Aborts after `ms`, or as soon as one of `signals` does. */
export function limitedSignal(ms: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  // `any` holds its sources weakly: without a listener, the timeout is garbage-collected and never fires.
  limit.addEventListener('abort', () => {}, { once: true });
  return AbortSignal.any([limit, ...signals]);
}

/** Like `fetch`, but reads the whole answer, and rejects when it is longer than `most` bytes. */
export const limitedFetch =
  (fetch: typeof globalThis.fetch, most = 1_048_576) =>
  async (url: string, request?: RequestInit): Promise<Response> => {
    const answer = await fetch(url, request);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.length;
      if (length > most) throw new Error('The answer is too long.');
      chunks.push(chunk);
    }
    const { status, statusText, headers } = answer;
    return new Response(length === 0 ? null : Buffer.concat(chunks), { status, statusText, headers });
  };

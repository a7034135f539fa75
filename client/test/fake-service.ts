import { vi } from 'vitest';
import { type ClientOptions, makeClient, type WaitInfo } from '../src/index.js';

export type FakeAnswer = Response | Error | ((request: Request) => Response | Promise<Response>);

export const baseUrl = 'http://holdfast.test/prefix';

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

/** A client of a service that gives these answers, the last of them for ever. */
export function fakeService(answers: FakeAnswer[], options: ClientOptions = {}) {
  const requests: Request[] = [];
  const waits: WaitInfo[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const next = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request.clone());
    if (next instanceof Error) throw next;
    request.signal.throwIfAborted();
    return typeof next === 'function' ? next(request) : (next?.clone() ?? Response.error());
  };
  const client = makeClient({ baseUrl, fetch, onWait: (info) => waits.push(info), ...options });
  const header = (name: string) => requests.map(({ headers }) => headers.get(name));
  return { client, requests, waits, header };
}

export type FakeService = ReturnType<typeof fakeService>;

/** The outcome of a call while the fake clock runs; an error is an outcome too. */
export async function outcomeOf<Value>(call: Promise<Value>): Promise<Value | Error> {
  const outcome = call.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

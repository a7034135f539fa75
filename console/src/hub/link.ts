import { HoldfastError, type HoldfastEvent, takeTokensFrom } from '../api/api.js';
import { base } from '../base.js';
import { makeStore } from '../store.js';
import type { Hub } from './hub.js';
import type { CallName, Connection, FromHub, HubCalls, User } from './protocol.js';
import workerUrl from './worker.js?sharedworker&url';

/** `undefined`: not known yet. */
export const user = makeStore<User | null | undefined>(undefined);
export const connection = makeStore<Connection>({ state: 'connecting', since: Date.now() });

const listeners = new Set<(event: HoldfastEvent) => void>();

/** @returns how to stop. */
export function onEvent(listener: (event: HoldfastEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>();
let calls = 0;
let port: Promise<MessagePort> | undefined;

export async function ask<N extends CallName>(
  name: N,
  ...given: Parameters<HubCalls[N]>
): Promise<ReturnType<HubCalls[N]>> {
  port ??= connect();
  const to = await port;
  calls += 1;
  const call = calls;
  return new Promise((resolve, reject) => {
    waiting.set(call, { resolve, reject });
    to.postMessage({ call, name, given: given[0] });
  });
}

takeTokensFrom({ valid: () => ask('token'), next: (refused) => ask('nextToken', refused) });

/** Asks the hub for the signed-in user. The first call of a page. */
export async function joinHub(): Promise<void> {
  const known = await ask('hello');
  connection.set(known.connection);
  user.set(known.user);
}

/** Reads it again, after a change of one's own account. */
export async function renewUser(): Promise<void> {
  const token = await ask('token');
  if (token) await ask('nextToken', token);
}

async function connect(): Promise<MessagePort> {
  const opened = 'SharedWorker' in globalThis ? sharedPort() : await ownPort();
  opened.onmessage = ({ data }: MessageEvent<FromHub>) => receive(data);
  opened.start();
  return opened;
}

addEventListener('pagehide', () => void (port && ask('bye')));
// Back from the browser's cache of pages: the hub has let go of this tab.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  port = undefined;
  void joinHub();
});

function sharedPort(): MessagePort {
  const options: WorkerOptions = { type: 'module', name: `holdfast ${workerUrl}` };
  return new SharedWorker(trusted(new URL(workerUrl, import.meta.url).href), options).port;
}

/** The one address that the content security policy lets a script be loaded from by name: the worker's own. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypeFactory };
  policy ??= trustedTypes?.createPolicy('holdfast-worker', {
    createScriptURL: (given) => {
      if (new URL(given).origin !== location.origin)
        throw new TypeError('The worker comes from this server.');
      return given;
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
let policy: TrustedTypePolicy | undefined;

interface TrustedTypePolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypeFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): TrustedTypePolicy;
}

/** One for as long as the page lives: it has the stream. */
let own: Promise<Hub> | undefined;

async function ownPort(): Promise<MessagePort> {
  own ??= import('./hub.js').then((module) => new module.Hub(`${location.origin}${base}`));
  const { port1, port2 } = new MessageChannel();
  (await own).join(port2);
  return port1;
}

function receive(message: FromHub): void {
  if ('event' in message) for (const listener of listeners) listener(message.event);
  else if ('connection' in message) connection.set(message.connection);
  else if ('user' in message) user.set(message.user);
  else settle(message);
}

function settle({ answer, value, error }: Extract<FromHub, { answer: number }>): void {
  const asked = waiting.get(answer);
  waiting.delete(answer);
  if (error) asked?.reject(new HoldfastError(error));
  else asked?.resolve(value as never);
}

import { posix } from 'node:path';
import { leaveBehind, leftBehind } from './left-behind.js';
import { isBelow, mountAbove } from './mounts.js';
import { isSilent, noAnswer, Prober } from './prober.js';

/** A disk that sleeps needs some seconds. */
const patienceMs = 10_000;
const mountPatienceMs = 2_000;
/** Between two tries whether a path that did not answer does now. */
const againMs = 10_000;
/** A silent path that nobody asks for is forgotten. */
const forgetMs = 10 * 60_000;
/** Of processes that can't be killed. Then nothing new is started until some of them end. */
const mostLeft = 32;

const probers = new Map<string, Prober>();
interface Silent {
  /** What hangs there. */
  hanging: Set<Prober>;
  /** When it was last asked for. */
  wanted: number;
}

/** Paths that don't answer. */
const silent = new Map<string, Silent>();

export const textOf = (path: string | Buffer): string =>
  posix.resolve(
    '/',
    typeof path === 'string' ? Buffer.from(path).toString('latin1') : path.toString('latin1'),
  );

/** Whether a path, or one above it, does not answer. */
function isKnownSilent(path: string): boolean {
  const above = [...silent].filter(([each]) => isBelow(path, each));
  for (const [, entry] of above) entry.wanted = performance.now();
  return above.length > 0;
}

/** What is held open is reached through the process that holds it. */
const holder = /^\/proc\/(\d+)\/fd\/\d+/;

export function proberFor(path: string): Prober {
  const pid = holder.exec(path)?.[1];
  const key = pid ?? mountAbove(path);
  const known = probers.get(key);
  if (known && (pid !== undefined || !known.retired)) return known;
  if (pid !== undefined || leftBehind() >= mostLeft) throw noAnswer(path);
  const prober = new Prober();
  probers.set(key, prober);
  if (prober.pid !== undefined) probers.set(`${prober.pid}`, prober);
  void prober.gone.then(() => {
    for (const name of [key, `${prober.pid}`]) if (probers.get(name) === prober) probers.delete(name);
  });
  return prober;
}

/**
 * Runs a call of `node:fs/promises` in a child process. Rejects with `ETIMEDOUT` when the file system does not answer in
 * time; from then on at once, for the path and its mount if that does not answer either, until they do.
 */
export async function ask(
  path: string | Buffer,
  call: string,
  args: unknown[],
  { ms = patienceMs, by }: { ms?: number | undefined; by?: Prober | undefined } = {},
): Promise<unknown> {
  const text = textOf(path);
  if (isKnownSilent(text)) throw noAnswer(text);
  return askAnyway(text, call, args, { ms, by });
}

async function askAnyway(
  text: string,
  call: string,
  args: unknown[],
  { ms, by }: { ms: number; by?: Prober | undefined },
): Promise<unknown> {
  const prober = by ?? proberFor(text);
  return prober.ask(call, args, { path: text, ms }).catch((error: NodeJS.ErrnoException) => {
    if (isSilent(error)) hangs(prober, text);
    throw error;
  });
}

function hangs(prober: Prober, asked: string): void {
  const path = holder.exec(asked)?.[0] ?? asked;
  const known = silent.get(path);
  const entry = known ?? { hanging: new Set(), wanted: performance.now() };
  entry.hanging.add(prober);
  void prober.gone.then(() => entry.hanging.delete(prober));
  if (!prober.retired) retire(prober);
  if (known) return;
  silent.set(path, entry);
  void (path === asked ? askAgain(path, entry) : prober.gone).then(() => forget(path, entry));
  const mount = mountAbove(path);
  if (mount !== path && mount !== '/') ask(mount, 'stat', [mount], { ms: mountPatienceMs }).catch(() => {});
}

function forget(path: string, entry: Silent): void {
  if (silent.get(path) === entry) silent.delete(path);
}

/** So that nobody else has to wait to find out. */
async function askAgain(path: string, entry: Silent): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, againMs).unref());
    if (silent.get(path) !== entry || performance.now() - entry.wanted > forgetMs) return;
    if (entry.hanging.size > 0) continue;
    // Not answered from a cache of the kernel.
    const answer = askAnyway(path, 'statfs', [path], { ms: patienceMs });
    const silence = await answer.then(
      () => null,
      (error: unknown) => isSilent(error),
    );
    if (silence) continue;
    // What hung because of its mount may answer too; what does not is found again by the next caller.
    const mount = mountAbove(path);
    for (const each of [...silent.keys()]) if (mountAbove(each) === mount) silent.delete(each);
    return;
  }
}

/** Others may wait for it in vain or not: it ends when all have their answer. */
function retire(prober: Prober): void {
  prober.retired = true;
  const timer = setInterval(() => {
    if (!prober.isIdle) return;
    clearInterval(timer);
    prober.kill();
    leaveBehind(prober.gone);
  }, 500);
  timer.unref();
  void prober.gone.then(() => clearInterval(timer));
}

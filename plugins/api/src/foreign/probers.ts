import { posix } from 'node:path';
import { leaveBehind, leftBehind } from './left-behind.js';
import { isBelow, mountAbove } from './mounts.js';
import { isSilent, noAnswer, Prober } from './prober.js';

/** A disk that sleeps needs some seconds. */
const patienceMs = 10_000;
const mountPatienceMs = 2_000;
/** Until a path that did not answer is asked again. */
const silenceMs = 20_000;
/** Of processes that can't be killed. Then nothing new is started until some of them end. */
const mostLeft = 32;

const probers = new Map<string, Prober>();
/** Paths that don't answer, with what hangs there. */
const silent = new Map<string, { until: number; hanging: Set<Prober> }>();

export const textOf = (path: string | Buffer): string =>
  posix.resolve(
    '/',
    typeof path === 'string' ? Buffer.from(path).toString('latin1') : path.toString('latin1'),
  );

/** Whether a path, or one above it, did not answer just now. */
function wasSilent(path: string): boolean {
  for (const [above, { until, hanging }] of silent) {
    if (performance.now() >= until && hanging.size === 0) silent.delete(above);
    else if (isBelow(path, above)) return true;
  }
  return false;
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
 * time; then the path, and its mount if that does not answer either, is not asked again for a while.
 */
export async function ask(
  path: string | Buffer,
  call: string,
  args: unknown[],
  { ms = patienceMs, by }: { ms?: number | undefined; by?: Prober | undefined } = {},
): Promise<unknown> {
  const text = textOf(path);
  if (wasSilent(text)) throw noAnswer(text);
  const prober = by ?? proberFor(text);
  return prober.ask(call, args, { path: text, ms }).catch((error: NodeJS.ErrnoException) => {
    if (isSilent(error)) hangs(prober, text);
    throw error;
  });
}

function hangs(prober: Prober, asked: string): void {
  const path = holder.exec(asked)?.[0] ?? asked;
  const hanging = silent.get(path)?.hanging ?? new Set();
  silent.set(path, { until: performance.now() + silenceMs, hanging: hanging.add(prober) });
  void prober.gone.then(() => hanging.delete(prober));
  if (!prober.retired) retire(prober);
  const mount = mountAbove(path);
  if (mount !== path && mount !== '/') ask(mount, 'stat', [mount], { ms: mountPatienceMs }).catch(() => {});
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

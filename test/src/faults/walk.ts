import { brokenIn } from '../invariants/invariants.js';
import { randomNumbers } from '../oracles/random.js';
import type { Kind } from './kinds.js';
import type { Point } from './point.js';
import { Scene } from './scene.js';

/** Steps that come by the clock, not by the job, and change nothing that it comes to. */
const byTheClock =
  /^commit ((update (job\((lease_until|progress)\)|(instance|token|event|event_sequence)\([^)]*\))|(insert|delete) (instance|token)),? ?)+$/;

export interface Walk {
  /** At which the service was killed. */
  reached: Point[];
  /** The work was done without them. */
  missed: Point[];
  points: number;
  /** What did not hold afterwards. */
  broken: string[];
  /** What is left to be looked at. */
  folders: string[];
}

export interface WalkOptions {
  seed: number;
  /** Number of kills; a point that the job does not reach is not counted. Default: all points. */
  atMost?: number;
  onStep?(text: string): void;
}

/** Kills the service at the points of one kind, each time starts it again, and looks at what became of it all. */
export async function walk(
  kind: Kind,
  { seed, atMost = Number.POSITIVE_INFINITY, onStep = () => {} }: WalkOptions,
): Promise<Walk> {
  const result: Walk = { reached: [], missed: [], points: 0, broken: [], folders: [] };
  let scene = await open(kind);
  let isWell = false;
  try {
    const all = (await scene.steps(await kind.prepare(scene))).filter(({ label }) => !byTheClock.test(label));
    result.points = all.length;
    for (const point of inRandomOrder(all, seed)) {
      if (result.reached.length >= atMost) break;
      isWell = false;
      const { where, killed, broken } = await killAt(point, { kind, scene });
      onStep(where);
      (killed ? result.reached : result.missed).push(point);
      result.broken.push(...broken.map((what) => `${where}: ${what}`));
      isWell = broken.length === 0;
      if (isWell) continue;
      result.folders.push(await scene.keep());
      scene = await open(kind);
      isWell = true;
    }
  } finally {
    if (isWell) await scene.remove();
    else result.folders.push(await scene.keep());
    for (const folder of result.folders) process.stderr.write(`faults: data, repository, log: ${folder}\n`);
  }
  return result;
}

async function open(kind: Kind): Promise<Scene> {
  const scene = await Scene.open();
  await kind.setUp?.(scene);
  return scene;
}

async function killAt(point: Point, { kind, scene }: { kind: Kind; scene: Scene }) {
  const killed = await scene.dieAt(point, await kind.prepare(scene));
  if (killed) await scene.comeBack();
  const world = await scene.world();
  const unmet = brokenIn(world).filter((line) => !kind.ignores?.test(line));
  const broken = [...unmet, ...(kind.judge?.(scene, world) ?? [])];
  const next = await scene.backUp().catch((error: Error) => error);
  if (next instanceof Error) broken.push(next.message);
  const { label, nth, side } = point;
  return { killed, broken, where: `${kind.name}, ${killed ? '' : 'not '}killed ${side} ${label} #${nth}` };
}

function inRandomOrder(points: readonly Point[], seed: number) {
  const random = randomNumbers(seed);
  return points
    .map((point) => ({ point, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ point }) => point);
}

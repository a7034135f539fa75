import { setTimeout as pause } from 'node:timers/promises';
import { randomNumbers } from '../oracles/random.js';
import type { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import type { Fleet } from './fleet.js';
import { type Freeze, type FreezeRound, freezeRound } from './freeze-round.js';
import { type Planned, unfinished } from './ledger.js';

export interface SoakOptions {
  fleet: Fleet;
  seed: number;
  /** All instants, those of `freezes` not among them. */
  planned: readonly Planned[];
  freezes: readonly Pick<FreezeRound, 'schedule' | 'next' | 'moment'>[];
  killEveryMs: number;
  /** Default: without end. */
  killsAtMost?: number;
}

export interface SoakResult {
  planned: Planned[];
  kills: number;
  freezes: Freeze[];
}

/** Kills and freezes the servers at random while slots fall due; resolves when everything has ended. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { fleet, seed, planned, freezes, killEveryMs, killsAtMost = Number.POSITIVE_INFINITY } = options;
  const random = randomNumbers(seed);
  const result: SoakResult = { planned: [...planned], kills: 0, freezes: [] };
  const killOne = async (spared?: TestServer) => {
    const candidates = fleet.servers.filter((server) => server !== spared);
    await pause(random() * 2 * killEveryMs);
    fleet.plug(random() < 0.5);
    if (result.kills >= killsAtMost) return;
    await candidates[Math.floor(random() * candidates.length)]?.restart('SIGKILL');
    result.kills += 1;
  };
  for (const each of freezes) {
    const { instants, freeze } = await freezeRound({ fleet, killOne, ...each });
    result.planned.push(...instants);
    result.freezes.push(freeze);
  }
  const last = Math.max(...planned.map(({ at }) => at));
  while (Date.now() < last) await killOne();
  fleet.plug(true);
  await waitFor(async () => (await unfinished(fleet.database, result.planned)) === 0, {
    what: 'the end of all slots and jobs',
    timeoutMs: 120_000 + planned.length * 3_000,
    intervalMs: 500,
  });
  return result;
}

import type { Clock, StorageBackend } from '@holdfast/plugin-api';
import { repositories } from '../../backup/repositories/index.js';
import { samples } from './tables.js';

const dayMs = 86_400_000;
/** Days that all samples are kept, and days that the last sample of a day (UTC) is kept after that. */
const keptFully = 90;
const keptDaily = 5 * 366;
/** Samples of one repository. */
const most = 10_000;
const atOnce = 200;

interface Sweep {
  storage: StorageBackend;
  clock: Clock;
  /** Days before this instant are done. */
  place: number | null;
  going(): boolean;
}

/** Removes samples that are too old or too many. Does its work once a day. Returns how far it got. */
export async function thinSamples({ storage, clock, place, going }: Sweep): Promise<number> {
  const until = startOfDay(clock.now() - keptFully * dayMs);
  if (place === until) return until;
  // A position stored by a clock that was ahead must not exclude everything before it.
  const from = place === null || place > until ? 0 : place;
  for (const { id: repository_id } of await storage.find(repositories)) {
    if (!going()) return from;
    const tooMany = { where: { repository_id }, order: [['at', 'desc']] as const, limit: 1, offset: most };
    const [first] = await storage.find(samples, tooMany);
    const oldest = Math.max(until - keptDaily * dayMs, first ? first.at + 1 : 0);
    await storage.remove(samples, { repository_id, at: { lt: oldest } });
    await thin(storage, repository_id, { from, until });
  }
  return until;
}

const startOfDay = (at: number) => Math.floor(at / dayMs) * dayMs;

/** Keeps the last sample of each day. */
async function thin(
  storage: StorageBackend,
  repository_id: number,
  { from, until }: { from: number; until: number },
): Promise<void> {
  for (let at = from; ; ) {
    const rows = await storage.find(samples, {
      where: { repository_id, at: { gte: at, lt: until } },
      order: [['at', 'asc']],
      limit: atOnce,
    });
    const sameDay = (n: number) => startOfDay(rows[n]?.at ?? 0) === startOfDay(rows[n + 1]?.at ?? 0);
    const gone = rows.slice(0, -1).filter((_, n) => sameDay(n));
    if (gone.length > 0) await storage.remove(samples, { id: { in: gone.map(({ id }) => id) } });
    if (rows.length < atOnce) return;
    at = rows.at(-1)?.at ?? until;
  }
}

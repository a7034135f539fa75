import { type RepositoryRow, repositories } from '../../backup/repositories/index.js';
import { withinTime } from '../../foundation/kernel/index.js';
import { named, type Space } from './incident-facts.js';
import type { IncidentsNeeds } from './needs.js';

const askEveryMs = 5 * 60_000;
const waitMs = 1_000;

/**
 * Local locations with repositories, one per file system, at most five minutes old. A file system that does
 * not answer is not asked again until it does.
 */
export const localSpaces = (needs: IncidentsNeeds) => {
  let known: Space[] = [];
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    known = await measure(needs);
  };
  return async (): Promise<Space[]> => {
    const now = needs.clock.now();
    if (asking === null && Math.abs(now - askedAt) >= askEveryMs) {
      askedAt = now;
      asking = ask().finally(() => {
        asking = null;
      });
    }
    const asked = asking;
    if (asked)
      await withinTime(
        waitMs,
        () => asked,
        () => new Error('late'),
      ).catch(() => undefined);
    return known;
  };
};

async function measure({ storage, files, settings, clock }: IncidentsNeeds): Promise<Space[]> {
  const here = await storage.find(repositories, { where: { connection_id: null }, order: [['id', 'asc']] });
  const byDevice = new Map<number, { rows: RepositoryRow[]; free: number; total: number }>();
  for (const row of here) {
    const space = await files.space(row.path);
    if (!space || space.total <= 0) continue;
    const rows = [...(byDevice.get(space.device)?.rows ?? []), row];
    byDevice.set(space.device, { ...space, rows });
  }
  const own = await files.space(settings.dataDirectory);
  if (own && own.total > 0 && !byDevice.has(own.device)) byDevice.set(own.device, { ...own, rows: [] });
  return [...byDevice.values()].flatMap(({ rows, free, total }) => {
    const [first] = rows;
    const object = first
      ? { kind: 'repository' as const, id: first.id, name: first.name }
      : { kind: 'service' as const, id: 1, name: 'Holdfast' };
    return [{ object, free, total, at: clock.now(), ...named(rows) }];
  });
}

import type { StorageBackend } from '@holdfast/plugin-api';
import type { ArchiveSummary } from '@holdfast/plugin-api/driver';
import {
  type ArchiveRow,
  archives,
  type RepositoryRow,
  repositories,
} from '../../src/backup/repositories/tables.js';
import type { EventKind } from '../../src/foundation/events/event.rules.js';
import { events } from '../../src/foundation/events/tables.js';
import { paces } from '../../src/foundation/kernel/pace.js';
import { makeIncidentWorker } from '../../src/insight/incidents/incident-worker.js';
import type { IncidentsNeeds } from '../../src/insight/incidents/needs.js';
import { duties, incidents } from '../../src/insight/incidents/tables.js';
import { incidentsUseCases } from '../../src/insight/incidents/use-cases.js';
import { deliveries } from '../../src/insight/notifications/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { makeWorld } from '../notifications/world.js';

export const hour = 3_600_000;
export const minute = 60_000;
const never = 2 ** 31 - 1;

export const massChange = {
  job_id: 7,
  archive: { id: 't', name: 'tuesday' },
  before: { id: 'm', name: 'monday' },
  ...{ files_before: 2_000, changed: 1_500, removed: 9, renamed: 0, folders: [] },
};

/** Repositories, settings and archives over a storage, with a clock that the test moves. Workers look when told to. */
export function incidentWorld(storage: StorageBackend = memoryStorage()) {
  const world = makeWorld(storage);
  const { clock, dependencies } = world;
  const tool = { archives: [] as ArchiveSummary[], listings: 0 };
  const disk = { free: 500, total: 1_000 };
  /** The disk of the data folder. */
  const own = { free: 500, total: 1_000, device: 2 };
  const needs = {
    ...dependencies,
    files: { space: async (path: string) => (path === '/data' ? own : { ...disk, device: 1 }) },
    settings: { dataDirectory: '/data' },
    lanes: { withLane: (_id: number, _what: string, work: () => Promise<void>) => work() },
    driver: {
      async listArchives() {
        tool.listings += 1;
        return { value: tool.archives, warnings: [] };
      },
      open: async () => ({ value: { storedSize: 1 } }),
    },
  } as unknown as IncidentsNeeds;
  const starting = (firstAfter = 0) => {
    const worker = makeIncidentWorker(needs, { ...paces.usual.incidents, lookEvery: never, firstAfter });
    worker.start();
    return worker;
  };
  const worker = starting();

  return {
    ...world,
    needs,
    tool,
    disk,
    own,
    worker,
    starting,
    ...incidentsUseCases(needs),
    /** Judges everything now. */
    look: async (times = 1) => {
      for (let n = 0; n < times; n++) {
        await storage.update(duties, { name: 'incidents' }, { due_at: 0 });
        await worker.look();
      }
    },
    /** A repository that promises an archive of the last `freshness` hours, and whose list was just read. */
    async repository(name: string, freshness: number | null = 24): Promise<RepositoryRow> {
      const row = await world.addRepository(name);
      const values = { freshness_hours: freshness, inventory_at: clock.now(), created_at: clock.now() };
      await storage.update(repositories, { id: row.id }, { ...values, stored_size: 1 });
      return { ...row, ...values };
    },
    set: (id: number, values: Partial<RepositoryRow>) => storage.update(repositories, { id }, values),
    async archive({ id }: { id: number }, start = clock.now(), values: Partial<ArchiveRow> = {}) {
      await storage.insert(archives, {
        repository_id: id,
        tool_id: `${id}-${start}`,
        name: `archive-${start}`,
        start,
        end: start,
        hostname: 'h',
        username: 'u',
        comment: '',
        seen_at: start,
        ...values,
      });
      await storage.update(repositories, { id }, { inventory_at: clock.now() });
    },
    open: () => storage.find(incidents, { where: { is_open: true } }),
    all: () => storage.find(incidents, { order: [['id', 'asc']] }),
    told: async () => {
      const kinds = new Map((await storage.find(events)).map((event) => [event.id, event.kind]));
      const rows = await storage.find(deliveries, { order: [['id', 'asc']] });
      return rows.map(({ event_id, setting_id }) => `${kinds.get(event_id)} to ${setting_id}`);
    },
    happened: async (kind: EventKind) =>
      (await storage.find(events, { where: { kind } })).map(({ data }) => data),
  };
}
export type IncidentWorld = ReturnType<typeof incidentWorld>;

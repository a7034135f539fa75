import type { Entity, StorageBackend, Where } from '@holdfast/plugin-api';
import { type Caller, forbidden, ReadCache, requireConfirmation, say } from '../kernel/index.js';
import { scheduleRepositories } from '../schedules/tables.js';
import { type RepositoryRow, repositories } from './tables.js';

export type Viewer = Pick<Caller, 'isAdmin'>;

/** What a viewer may not know of: repositories, and schedules that cover no other ones. */
export interface Hidden {
  repositories: ReadonlySet<number>;
  schedules: ReadonlySet<number>;
}

/**
 * The only rule of who sees which repository. Its own backup holds the secret key of the service, which opens every
 * stored secret.
 */
const hiddenRows = ({ isAdmin }: Viewer): Where<typeof repositories> | null =>
  isAdmin ? null : { own_backup: true };

export type HiddenFrom = (viewer: Viewer) => Promise<Hidden>;

const nothing: Hidden = { repositories: new Set(), schedules: new Set() };

export const makeHiddenFrom = (storage: StorageBackend): HiddenFrom => {
  const cache = new ReadCache(storage);
  return async (viewer) => {
    const where = hiddenRows(viewer);
    return where ? cache.read(JSON.stringify(where), () => readHidden(storage, where)) : nothing;
  };
};

async function readHidden(storage: StorageBackend, where: Where<typeof repositories>): Promise<Hidden> {
  const of = (removed_at: null | { not: null }) =>
    storage.find(repositories, { where: { ...where, removed_at } });
  // Jobs and schedules of removed registrations stay.
  const rows = (await Promise.all([of(null), of({ not: null })])).flat();
  const hidden = new Set(rows.map(({ id }) => id));
  const links = await storage.find(scheduleRepositories, { where: { repository_id: { in: [...hidden] } } });
  const former = rows.flatMap((row) => row.former?.schedules ?? []);
  const covering = new Set([...links.map((link) => link.schedule_id), ...former.map(({ id }) => id)]);
  const all = await storage.find(scheduleRepositories, { where: { schedule_id: { in: [...covering] } } });
  for (const link of all) if (!hidden.has(link.repository_id)) covering.delete(link.schedule_id);
  return { repositories: hidden, schedules: covering };
}

/** The columns that say to what a row belongs; none where rows are only reached through another one. */
export function ownerColumns({ name, columns }: Entity): string[] {
  if (name === 'repository' || name === 'schedule') return ['id'];
  const owners = ['repository_id', 'former_repository_id', 'schedule_id', 'object_kind', 'object_id'];
  return owners.filter((column) => Object.hasOwn(columns, column));
}

interface Owned {
  id?: unknown;
  repository_id?: unknown;
  former_repository_id?: unknown;
  schedule_id?: unknown;
  object_kind?: unknown;
  object_id?: unknown;
  /** Of an event: facts about several repositories. */
  data?: { repository_ids?: unknown; schedule_id?: unknown };
}

/** Whether a row of `entity` belongs to something hidden. */
export function isHidden({ name }: Pick<Entity, 'name'>, row: Owned, hidden: Hidden): boolean {
  const [places, plans]: ReadonlySet<unknown>[] = [hidden.repositories, hidden.schedules];
  if (name === 'repository' || name === 'schedule')
    return (name === 'schedule' ? plans : places)?.has(row.id) ?? false;
  const several = row.data?.repository_ids;
  const owners = [row.repository_id, row.former_repository_id, ...(Array.isArray(several) ? several : [])];
  const known = owners.filter((id) => id != null);
  if (known.length > 0) return known.some((id) => places?.has(id));
  const plan = row.object_kind === 'schedule' ? row.object_id : (row.schedule_id ?? row.data?.schedule_id);
  return plans?.has(plan) ?? false;
}

/** Throws AppError `forbidden` unless the caller may have the files of a repository: those of its own backup open all others. */
export function requireRightToFiles(caller: Caller, { own_backup }: RepositoryRow, now: number): void {
  if (!own_backup) return;
  if (caller.readOnly)
    throw forbidden(
      say(
        'own_backup_files_protected',
      )`The backup of Holdfast itself holds the secret key: a read-only token can't have its files.`,
    );
  requireConfirmation(caller, now);
}

import type { Entity, StorageBackend, StorageSession, Where } from '@holdfast/plugin-api';
import {
  type Caller,
  forbidden,
  ReadCache,
  requireConfirmation,
  say,
} from '../../foundation/kernel/index.js';
import { scheduleRepositories } from '../schedules/tables.js';
import { type RepositoryRow, repositories } from './tables.js';

type Viewer = Pick<Caller, 'isAdmin'>;

/** What a viewer may not know of: repositories, and schedules that cover no other ones. */
export interface Hidden {
  repositories: ReadonlySet<number>;
  schedules: ReadonlySet<number>;
}

/**
 * The only rule of who sees which repository. A backup of a service holds its secret key, which opens every stored
 * secret: its own, a copy of that, and those of other installations.
 */
const hiddenRows = ({ isAdmin }: Viewer): Where<typeof repositories> | null =>
  isAdmin ? null : { admin_only: true };

export type HiddenFrom = (viewer: Viewer) => Promise<Hidden>;

const nothing: Hidden = { repositories: new Set(), schedules: new Set() };

export const makeHiddenFrom = (storage: StorageBackend): HiddenFrom => {
  const cache = new ReadCache(storage);
  return async (viewer) => {
    const where = hiddenRows(viewer);
    return where ? cache.read(JSON.stringify(where), () => readHidden(storage, where)) : nothing;
  };
};

/** Jobs and schedules of removed registrations stay. */
async function registeredOrRemoved(session: Pick<StorageSession, 'find'>, where: Where<typeof repositories>) {
  const of = (removed_at: null | { not: null }) =>
    session.find(repositories, { where: { ...where, removed_at } });
  return [...(await of(null)), ...(await of({ not: null }))];
}

/** True for a copy of a repository that only administrators see. */
export const isCopyOfHidden = async (session: StorageSession, tool_id: string): Promise<boolean> =>
  (await registeredOrRemoved(session, { tool_id, admin_only: true })).length > 0;

async function readHidden(storage: StorageBackend, where: Where<typeof repositories>): Promise<Hidden> {
  const rows = await registeredOrRemoved(storage, where);
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

/** Throws AppError `forbidden` unless the caller may have the files of a repository: a secret key opens all others. */
export function requireRightToFiles(caller: Caller, { admin_only }: RepositoryRow, now: number): void {
  if (!admin_only) return;
  if (caller.readOnly)
    throw forbidden(
      say`self_backup_files_protected: The backup of Holdfast itself contains the secret key: a read-only token cannot access its files.`,
    );
  requireConfirmation(caller, now);
}

import { type Grant, type Right, rights } from '@holdfast/contracts';
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
import { withoutFileNames, withoutOthers } from './without-names.rules.js';

type Viewer = Pick<Caller, 'isAdmin' | 'limits'>;

/** What a viewer may not know of: repositories, and schedules that cover no other ones. */
export interface Hidden {
  isEmpty: boolean;
  repository(id: unknown): boolean;
  schedule(id: unknown): boolean;
  /** Of a limited viewer: the visible repositories. What belongs to none of them is hidden, too. */
  only: ReadonlySet<number> | null;
  /** Of those: where names of files may be seen, too. */
  named: ReadonlySet<number> | null;
  /** False in transactions: what is read there may be written back. */
  masks?: boolean;
}

/**
 * The only rule of who sees which repository. A backup of a service holds its secret key, which opens every stored
 * secret: its own, a copy of that, and those of other installations. A limited viewer sees what each list grants.
 */
const sees = ({ isAdmin, limits = [] }: Viewer, right: Right, repository: Known): boolean =>
  (isAdmin || !repository.admin_only) &&
  (limits.length === 0 || repository.removed_at === null) &&
  limits.every((grants) => grants.some((grant) => includes(grant, right) && concerns(grant, repository)));

const includes = (grant: Grant, right: Right): boolean =>
  rights.indexOf(grant.right) >= rights.indexOf(right);

const concerns = ({ repository_id, tag }: Grant, { id, tags }: Known): boolean =>
  repository_id === id || (tag !== undefined && tags.some((one) => one.toLowerCase() === tag.toLowerCase()));

/** `repositories`: nothing will be asked about schedules, which saves a read. */
export type NeedsOfHidden = 'all' | 'repositories';
export type HiddenFrom = (viewer: Viewer, right?: Right, needs?: NeedsOfHidden) => Promise<Hidden>;

const nothing: Hidden = {
  isEmpty: true,
  repository: () => false,
  schedule: () => false,
  only: null,
  named: null,
};

export const makeHiddenFrom = (storage: StorageBackend): HiddenFrom => {
  const cache = new ReadCache(storage);
  return async (viewer, right = 'see', needs = 'all') => {
    const { isAdmin, limits } = viewer;
    if (isAdmin && !limits) return nothing;
    if (!limits)
      return cache.read(JSON.stringify([isAdmin]), () => readHidden(storage, { admin_only: true }));
    const key = JSON.stringify([isAdmin, limits, right]);
    const repositories = await cache.read(key, () => readLimited(storage, viewer, right));
    if (needs === 'repositories') return repositories;
    return cache.read(`${key} with schedules`, () => withSchedules(storage, repositories, right));
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
  return {
    isEmpty: hidden.size === 0,
    repository: (id) => hidden.has(id as number),
    schedule: (id) => covering.has(id as number),
    only: null,
    named: null,
  };
}

async function readLimited(storage: StorageBackend, viewer: Viewer, right: Right): Promise<Hidden> {
  const all = await concerned(storage, viewer);
  const granted = (needed: Right) =>
    new Set(all.filter((row) => sees(viewer, needed, row)).map(({ id }) => id));
  const only = granted(right);
  return {
    isEmpty: false,
    repository: (id) => !only.has(id as number),
    schedule: () => {
      throw new Error('the schedules of a limited viewer were not read');
    },
    only,
    named: right === 'see' ? granted('restore') : only,
  };
}

/** To operate a schedule takes that right on all its repositories. */
async function withSchedules(storage: StorageBackend, hidden: Hidden, right: Right): Promise<Hidden> {
  const only = hidden.only ?? new Set();
  const covering = async (where: Where<typeof scheduleRepositories>) =>
    storage.find(scheduleRepositories, { where });
  const plans = new Set(
    (await covering({ repository_id: { in: [...only] } })).map(({ schedule_id }) => schedule_id),
  );
  if (right === 'operate')
    for (const link of await covering({ schedule_id: { in: [...plans] } }))
      if (!only.has(link.repository_id)) plans.delete(link.schedule_id);
  return { ...hidden, schedule: (id) => !plans.has(id as number) };
}

type Known = Pick<RepositoryRow, 'id' | 'admin_only' | 'removed_at' | 'tags'>;

/** A few rows and columns, unless a tag may be anywhere. */
async function concerned(storage: StorageBackend, { limits = [] }: Viewer): Promise<Known[]> {
  const grants = limits.flat();
  const where = { removed_at: null };
  if (grants.some(({ tag }) => tag !== undefined)) return storage.find(repositories, { where });
  const ids = [...new Set(grants.map(({ repository_id }) => repository_id).filter((id) => id !== undefined))];
  const rows = await storage.aggregate(repositories, {
    where: { ...where, id: { in: ids } },
    groupBy: ['id', 'admin_only'],
    measures: {},
  });
  return rows.map((row) => ({ ...row, ...where, tags: [] }));
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
  if (hidden.isEmpty) return false;
  if (name === 'repository') return hidden.repository(row.id);
  if (name === 'schedule') return hidden.schedule(row.id);
  const several = row.data?.repository_ids;
  const owners = [row.repository_id, row.former_repository_id, ...(Array.isArray(several) ? several : [])];
  const known = owners.filter((id) => id != null);
  if (known.length > 0) return known.some((id) => hidden.repository(id));
  const plan = row.object_kind === 'schedule' ? row.object_id : (row.schedule_id ?? row.data?.schedule_id);
  return plan == null ? hidden.only !== null : hidden.schedule(plan);
}

/** A row as the viewer may see it; null: not at all. A restore is about names of files. */
export function shownRow<R extends Owned & { kind?: unknown }>(
  entity: Pick<Entity, 'name'>,
  row: R,
  hidden: Hidden,
): R | null {
  if (isHidden(entity, row, hidden)) return null;
  if (hidden.only === null || hidden.masks === false) return row;
  const owner = entity.name === 'repository' ? row.id : row.repository_id;
  const isNamed = owner == null || hidden.named?.has(owner as number);
  if (!isNamed && entity.name === 'job' && row.kind === 'restore') return null;
  const shown = withoutOthers(entity, row);
  return isNamed ? shown : withoutFileNames(entity, shown);
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

import type { StorageSession } from '@holdfast/plugin-api';
import { type RepositoryRow, repositories } from './tables.js';

/** Facts about a repository that change without a change of its settings. */
export type RepositoryFacts = Partial<
  Pick<
    RepositoryRow,
    | 'append_only'
    | 'cache_epoch'
    | 'inventory_at'
    | 'last_check'
    | 'last_compact'
    | 'place_at'
    | 'place_free'
    | 'place_total'
    | 'stored_size'
    | 'sweep_due'
    | 'unfinished_archives'
  >
>;

/** @param id null: all repositories */
export const noteRepository = (
  session: Pick<StorageSession, 'update'>,
  id: number | null,
  facts: RepositoryFacts,
) => session.update(repositories, id === null ? {} : { id }, facts);

/** Keeps one that is not accepted yet: from before it are the archives that may be needed. */
export const noteMassChange = (
  session: Pick<StorageSession, 'update'>,
  id: number,
  change: Pick<RepositoryRow, 'mass_change' | 'mass_change_at'>,
) => session.update(repositories, { id, mass_change_at: null }, change);

export const forgetMassChange = (session: Pick<StorageSession, 'update'>, id: number) =>
  session.update(repositories, { id }, { mass_change: null, mass_change_at: null });

/** Where this service puts the copies of itself before they are saved. */
export const noteOwnSource = (session: Pick<StorageSession, 'update'>, folder: string) =>
  session.update(repositories, { self_backup: true }, { source_directories: [folder] });

import { type StorageSession, StoreError } from '@holdfast/plugin-api';
import type { EventBus, EventRow } from '../../foundation/events/index.js';
import type { Message } from '../../foundation/kernel/index.js';
import { type Registration, registeredRow } from './create-repository.js';
import { newEpoch } from './inventory/new-epoch.js';
import { opens } from './repository.rules.js';
import { type FormerLinks, type RepositoryRow, repositories } from './tables.js';

export interface Recalled {
  /** To be announced after the commit. */
  events: EventRow[];
  /** What a person should know or do. */
  remarks: Message[];
}

/**
 * What another room does in the transaction that takes up a removed registration again. What was deleted meanwhile
 * stays deleted.
 */
export type RecallRepository = (
  session: StorageSession,
  /** `at`: now, in milliseconds. */
  back: { repository: RepositoryRow; links: FormerLinks; events: Pick<EventBus, 'record'>; at: number },
) => Promise<Recalled>;

/**
 * Gives a new registration the row of the removed one. Throws StoreError `unique` for a taken name or path, `conflict`
 * when another process was faster.
 */
export async function takeUp(
  session: StorageSession,
  { id, removed_at, created_at, updated_at, freshness_hours }: RepositoryRow,
  registration: Registration,
): Promise<RepositoryRow> {
  const row = await registeredRow(session, registration);
  const at = Math.max(registration.now, updated_at + 1);
  const patch = {
    ...row,
    ...opens,
    created_at,
    removed_at: null,
    former: null,
    cache_epoch: newEpoch(),
    freshness_hours: row.freshness_hours ?? freshness_hours,
    // Its last backups may have left something unfinished.
    sweep_due: true,
    updated_at: at,
    credentials_at: at,
  };
  if ((await session.update(repositories, { id, removed_at }, patch)) === 0) {
    throw new StoreError('conflict', 'Another process took up the registration.');
  }
  const [taken] = await session.find(repositories, { where: { id }, limit: 1 });
  return taken as RepositoryRow;
}

import {
  type AuditFacts,
  auditBroken,
  type ChainedEntry,
  chained,
  systemFacts,
} from './audit-entry.rules.js';
import { isStoreError, StoreError } from '../kernel/errors.js';
import type { Clock, SecretBox } from '../ports/services.js';
import type { StorageBackend, StorageSession } from '../ports/storage.js';
import { auditEntries } from '../schema/tables.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { readAuditHead, stateOfRows, writeAuditHead } from './audit-head.js';

export interface AuditStore {
  storage: Pick<StorageBackend, 'transaction'>;
  secrets: SecretBox;
  clock: Clock;
}

export interface Appended {
  last: number;
  /** Why what was there could not be believed; null when it could. */
  fault: string | null;
}

/** Adds entries behind the last one, all or none. Any number of processes may do it at once: there is one chain. */
export const appendEntries = (
  { storage, secrets, clock }: AuditStore,
  facts: readonly AuditFacts[],
): Promise<Appended> =>
  trailTransaction(storage, async (session) => {
    const head = await readAuditHead(session, secrets);
    const state = head.state ?? (await stateOfRows(session));
    const notice = head.fault === null ? [] : [systemFacts(clock.now(), auditBroken, brokenNote(head.fault))];
    const entries: ChainedEntry[] = [];
    for (const each of [...notice, ...facts]) entries.push(chained(each, entries.at(-1) ?? state.last));
    const last = entries.at(-1) ?? state.last;
    const next = { ...state, last: { seq: last.seq, hash: last.hash } };
    // First of all: so processes wait for each other here and not at each entry.
    await writeAuditHead(session, { row: head.row, state: next, secrets });
    for (const entry of entries) await session.insert(auditEntries, entry);
    return { last: last.seq, fault: head.fault };
  });

const brokenNote = (fault: string) => `Somebody else changed the audit trail: ${fault}.`;

/** A transaction that may meet others at the head: it is repeated then. */
export function trailTransaction<T>(
  storage: Pick<StorageBackend, 'transaction'>,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  const transaction = <R>(inner: (session: StorageSession) => Promise<R>) =>
    storage.transaction(inner).catch((error: unknown) => {
      // Of two that begin the trail, or take the same place, one comes too late.
      if (isStoreError(error, 'unique')) throw new StoreError('conflict', error.message, { cause: error });
      throw error;
    });
  return inTransaction({ transaction }, work);
}

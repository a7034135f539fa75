import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  isStoreError,
  type Log,
  type StorageBackend,
  type StorageSession,
  StoreError,
} from '@holdfast/plugin-api';
import { inTransaction, withinTime } from '../kernel/index.js';
import type { SecretBox } from '../ports/services.js';
import {
  type AuditFacts,
  auditBroken,
  type ChainedEntry,
  chained,
  systemFacts,
} from './audit-entry.rules.js';
import { readAuditHead, stateOfRows, writeAuditHead } from './audit-head.js';
import { auditEntries } from './tables.js';

/** Notes what was done. Entries of many requests at once share a transaction. */
export interface AuditTrail {
  /** Resolves when the entry is stored, which may be late. Never rejects: what can't be written is told in the log. */
  append(entry: AuditFacts): Promise<void>;
  /** What is wrong with the trail now, as a sentence for anybody; null when nothing is. */
  problem(): string | null;
  /** Writes what waits, within `graceMs`; what can't be written then goes to the log. */
  end(graceMs: number): Promise<void>;
}

interface TrailParts extends AuditStore {
  log: Log;
  retryMs?: number;
  /** How many entries wait while the storage does not work. */
  mostWaiting?: number;
}

interface Waiting {
  entry: AuditFacts;
  stored(): void;
}

const atOnce = 200;

export const makeAuditTrail = (parts: TrailParts): AuditTrail => new StoredTrail(parts);

class StoredTrail implements AuditTrail {
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #lost = 0;
  #failing = false;
  #broken = false;
  #ended = false;

  constructor(private readonly parts: TrailParts) {}

  append(entry: AuditFacts): Promise<void> {
    const { mostWaiting = 10_000 } = this.parts;
    if (this.#ended || this.#waiting.length >= mostWaiting) {
      this.#lose(entry);
      return Promise.resolve();
    }
    return new Promise((stored) => {
      this.#waiting.push({ entry, stored });
      this.#draining ??= this.#drain();
    });
  }

  problem(): string | null {
    if (this.#failing) return 'The audit trail can not be written; the log tells why.';
    if (this.#broken) return 'Somebody changed the audit trail; "holdfast audit verify" tells where.';
    return null;
  }

  async end(graceMs: number): Promise<void> {
    const late = () => new Error('late');
    await withinTime(graceMs, () => this.#draining ?? Promise.resolve(), late).catch(() => undefined);
    this.#ended = true;
    for (const { entry } of this.#waiting) this.#lose(entry);
  }

  /** Never rejects. */
  async #drain(): Promise<void> {
    // What comes in the same turn goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0 && !this.#ended) {
      if (!(await this.#writeSome())) await sleep(this.parts.retryMs ?? 1_000, undefined, { ref: false });
    }
    this.#draining = null;
  }

  async #writeSome(): Promise<boolean> {
    const some = this.#waiting.slice(0, atOnce);
    const lost = this.#lost;
    const entries = some.map(({ entry }) => entry);
    if (lost > 0) entries.push(systemFacts(this.parts.clock.now(), 'auditLost', lostNote(lost)));
    try {
      const { last, fault } = await appendEntries(this.parts, entries);
      this.#lost -= lost;
      this.#failing = false;
      if (fault !== null) this.#tellOfBreak(fault, last);
    } catch (error) {
      this.#tellOfFailure(error);
      return false;
    }
    this.#waiting = this.#waiting.slice(some.length);
    for (const { stored } of some) stored();
    return true;
  }

  #tellOfFailure(error: unknown): void {
    if (!this.#failing) {
      const waiting = this.#waiting.length;
      this.parts.log.error('the audit trail can not be written; it is tried again', { waiting, error });
    }
    this.#failing = true;
  }

  #tellOfBreak(fault: string, last: number): void {
    this.#broken = true;
    this.parts.log.error('somebody changed the audit trail; it goes on', { fault, entry: last });
  }

  /** The log is all that is left. */
  #lose(entry: AuditFacts): void {
    this.#lost += 1;
    this.parts.log.error('an entry of the audit trail could not be written', { entry });
  }
}

const lostNote = (count: number) =>
  `${count} entries could not be written while the storage did not work: the log of the service has them.`;

/** What a command of a person on this machine did. StoreError when it can't be noted. */
export async function auditCommand(
  store: AuditStore,
  facts: Pick<AuditFacts, 'action' | 'note'> & Partial<AuditFacts>,
): Promise<void> {
  const { action, note, ...more } = facts;
  await appendEntries(store, [{ ...systemFacts(store.clock.now(), action, note ?? ''), ...more }]);
}

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

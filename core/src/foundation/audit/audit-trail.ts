import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  isStoreError,
  type Log,
  type StorageBackend,
  type StorageSession,
  StoreError,
} from '@holdfast/plugin-api';
import { inTransaction, type Message, say, withinTime } from '../kernel/index.js';
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

/** Records actions. Entries of concurrent requests share a transaction. */
export interface AuditTrail {
  /**
   * Resolves once the entry is stored, which may take a while. Never rejects: entries that can't be written
   * go to the log.
   */
  append(entry: AuditFacts): Promise<void>;
  /** What is wrong with the trail now, as a sentence that anyone may read; null when nothing is. */
  problem(): Message | null;
  /** Writes pending entries within `graceMs`. The rest goes to the log. */
  end(graceMs: number): Promise<void>;
}

interface TrailParts extends AuditStore {
  log: Log;
  retryMs?: number;
  /** Maximum number of entries to hold while the storage is down. */
  maxWaiting?: number;
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
    const { maxWaiting = 10_000 } = this.parts;
    if (this.#ended || this.#waiting.length >= maxWaiting) {
      this.#lose(entry);
      return Promise.resolve();
    }
    return new Promise((stored) => {
      this.#waiting.push({ entry, stored });
      this.#draining ??= this.#drain();
    });
  }

  problem(): Message | null {
    if (this.#failing) return say`audit_not_written: The audit trail cannot be written; the log says why.`;
    if (this.#broken)
      return say`audit_tampered: The audit trail was tampered with; "holdfast audit verify" shows where.`;
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
    // Entries of the same turn are written together.
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
      const { last, problem } = await appendEntries(this.parts, entries);
      this.#lost -= lost;
      this.#failing = false;
      if (problem !== null) this.#reportTampering(problem, last);
    } catch (error) {
      this.#reportFailure(error);
      return false;
    }
    this.#waiting = this.#waiting.slice(some.length);
    for (const { stored } of some) stored();
    return true;
  }

  #reportFailure(error: unknown): void {
    if (!this.#failing) {
      const waiting = this.#waiting.length;
      this.parts.log.error('could not write the audit trail; retrying', { waiting, error });
    }
    this.#failing = true;
  }

  #reportTampering(problem: string, last: number): void {
    this.#broken = true;
    this.parts.log.error('the audit trail was tampered with; it continues', { fault: problem, entry: last });
  }

  /** Falls back to the log. */
  #lose(entry: AuditFacts): void {
    this.#lost += 1;
    this.parts.log.error('could not write an entry of the audit trail', { entry });
  }
}

const lostNote = (count: number) =>
  `${count} entries could not be written while the storage was down: they are in the service log.`;

/** Records what a command on this machine did. Throws StoreError when it can't be stored. */
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
  /** Why the previous state was not trustworthy; null when it was. */
  problem: string | null;
}

/** Appends entries, all or none. Safe with any number of processes: there is one chain. */
export const appendEntries = (
  { storage, secrets, clock }: AuditStore,
  facts: readonly AuditFacts[],
): Promise<Appended> =>
  trailTransaction(storage, async (session) => {
    const head = await readAuditHead(session, secrets);
    const state = head.state ?? (await stateOfRows(session));
    const notice =
      head.problem === null ? [] : [systemFacts(clock.now(), auditBroken, brokenNote(head.problem))];
    const entries: ChainedEntry[] = [];
    for (const each of [...notice, ...facts]) entries.push(chained(each, entries.at(-1) ?? state.last));
    const last = entries.at(-1) ?? state.last;
    const next = { ...state, last: { seq: last.seq, hash: last.hash } };
    // Written first, so that processes wait for each other here and not at each entry.
    await writeAuditHead(session, { row: head.row, state: next, secrets });
    for (const entry of entries) await session.insert(auditEntries, entry);
    return { last: last.seq, problem: head.problem };
  });

const brokenNote = (problem: string) => `The audit trail was tampered with: ${problem}.`;

/** Runs a transaction and retries it when it conflicts with another one at the head. */
export function trailTransaction<T>(
  storage: Pick<StorageBackend, 'transaction'>,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  const transaction = <R>(inner: (session: StorageSession) => Promise<R>) =>
    storage.transaction(inner).catch((error: unknown) => {
      // Two processes tried to start the trail, or to take the same position.
      if (isStoreError(error, 'unique')) throw new StoreError('conflict', error.message, { cause: error });
      throw error;
    });
  return inTransaction({ transaction }, work);
}

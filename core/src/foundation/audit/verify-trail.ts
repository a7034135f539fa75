import type { StorageBackend } from '@holdfast/plugin-api';
import type { SecretBox } from '../ports/services.js';
import { auditBroken, type ChainPlace, problemAfter } from './audit-entry.rules.js';
import { type AuditHead, type AuditState, readAuditHead } from './audit-head.js';
import { type AuditEntryRow, auditEntries } from './tables.js';

export interface AuditVerdict {
  /** Number of entries checked. */
  entries: number;
  /** The last valid entry; 0 and zeros when there is none. */
  last: ChainPlace;
  /** The first invalid entry and what is wrong with it; null when all are valid. */
  finding: { seq: number; what: string } | null;
}

export interface Verification {
  storage: StorageBackend;
  secrets: SecretBox;
  /** An entry that was recorded elsewhere. It must still exist. */
  anchor?: ChainPlace | undefined;
  /** Earlier entries are skipped. */
  from?: number | undefined;
}

const pageRows = 500;

/** Checks every entry. Services may append to the trail and remove old entries in the meantime. */
export async function verifyTrail(verification: Verification): Promise<AuditVerdict> {
  for (;;) {
    const before = await headOf(verification);
    const verdict = await new Walk(verification, before).run();
    if (verdict.finding === null) return verdict;
    const after = await headOf(verification);
    // Entries that were removed for their age in the meantime look missing.
    if (after.state === null || after.state.removed.seq === before.state?.removed.seq) return verdict;
  }
}

const headOf = ({ storage, secrets }: Verification): Promise<AuditHead> =>
  storage.transaction((session) => readAuditHead(session, secrets));

class Walk {
  #entries = 0;
  #place: ChainPlace;

  constructor(
    private readonly verification: Verification,
    private readonly head: AuditHead,
  ) {
    this.#place = head.state?.removed ?? { seq: 0, hash: '' };
  }

  async run(): Promise<AuditVerdict> {
    const { state, problem } = this.head;
    const what = (await this.#setOut()) ?? (await this.#rows(state)) ?? this.#end(state, problem);
    return { entries: this.#entries, last: this.#place, finding: what };
  }

  /** Finds the start: after the removed entries, or at `from`. */
  async #setOut(): Promise<AuditVerdict['finding']> {
    const { from, anchor, storage } = this.verification;
    const { seq } = this.#place;
    if (anchor && anchor.seq < seq)
      return finding(anchor.seq, 'it was removed for its age and cannot be compared');
    const begin = Math.max(from ?? 0, this.head.state ? seq + 1 : 0);
    if (this.head.state && begin === seq + 1) return this.#anchored(this.#place);
    // Nothing vouches for what came before the first entry, so that is trusted.
    const [first] = await storage.find(auditEntries, {
      where: { seq: { gte: begin } },
      order: [['seq', 'asc']],
      limit: 1,
    });
    if (first) this.#place = { seq: first.seq - 1, hash: first.previous_hash };
    return null;
  }

  async #rows(state: AuditState | null): Promise<AuditVerdict['finding']> {
    const { storage } = this.verification;
    const end = state?.last.seq ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await storage.find(auditEntries, {
        where: { seq: { gt: this.#place.seq, lte: end } },
        order: [['seq', 'asc']],
        limit: pageRows,
      });
      for (const row of rows) {
        const bad = this.#look(row);
        if (bad) return bad;
      }
      if (rows.length < pageRows) return null;
    }
  }

  #look(row: AuditEntryRow): AuditVerdict['finding'] {
    const missing = row.seq > this.#place.seq + 1;
    if (missing) return finding(this.#place.seq + 1, `it is missing; the next one is ${row.seq}`);
    const problem = problemAfter(this.#place, row);
    if (problem) return finding(row.seq, problem);
    this.#entries += 1;
    this.#place = { seq: row.seq, hash: row.hash };
    if (row.action === auditBroken) return finding(row.seq, `${row.note}`);
    return this.#anchored(row);
  }

  #anchored({ seq, hash }: ChainPlace): AuditVerdict['finding'] {
    const { anchor } = this.verification;
    if (anchor?.seq !== seq || anchor.hash === hash) return null;
    return finding(seq, 'it differs from the recorded entry');
  }

  /** Checks the end against the seal and the recorded entry. */
  #end(state: AuditState | null, problem: string | null): AuditVerdict['finding'] {
    const { anchor } = this.verification;
    const next = this.#place.seq + 1;
    if (state === null) return finding(next, `nothing vouches for the end: ${problem}`);
    const { seq, hash } = state.last;
    if (this.#place.seq < seq) return finding(next, `it is missing; the trail continued to entry ${seq}`);
    if (this.#place.hash !== hash) return finding(seq, 'it differs from the last sealed entry');
    if (anchor && anchor.seq > seq) {
      return finding(next, `it is missing; entry ${anchor.seq} was recorded`);
    }
    return seq === 0 ? finding(1, 'the trail is empty: Holdfast has never written to it') : null;
  }
}

const finding = (seq: number, what: string) => ({ seq, what });

import { type StorageSession, StoreError } from '@holdfast/plugin-api';
import type { SecretBox } from '../ports/services.js';
import { type ChainPlace, chainBegin } from './audit-entry.rules.js';
import { type AuditHeadRow, auditEntries, auditHeads } from './tables.js';

/** The extent of the trail. Writing it requires the secret key. */
export interface AuditState {
  last: ChainPlace;
  /** The last entry that was removed for its age; the trail begins after it. */
  removed: ChainPlace;
}

export interface AuditHead {
  row: AuditHeadRow | undefined;
  /** Null when there is no trustworthy state; `problem` then says why. */
  state: AuditState | null;
  problem: string | null;
}

const purpose = 'audit-head';

/** Reads the head in a transaction: as the service left it, or why it is not trustworthy. */
export async function readAuditHead(session: StorageSession, secrets: SecretBox): Promise<AuditHead> {
  const [row] = await session.find(auditHeads, { where: { slot: 1 }, limit: 1 });
  const opened = row ? openState(row.state, secrets) : await newState(session);
  if (typeof opened === 'string') return { row, state: null, problem: opened };
  const beyond = await session.find(auditEntries, { where: { seq: { gt: opened.last.seq } }, limit: 1 });
  if (beyond.length === 0) return { row, state: opened, problem: null };
  return {
    row,
    state: null,
    problem: `its seal ends at entry ${opened.last.seq}, but later entries are stored`,
  };
}

async function newState(session: StorageSession): Promise<AuditState | string> {
  if ((await session.find(auditEntries, { limit: 1 })).length > 0) return 'its seal is missing';
  return { last: chainBegin, removed: chainBegin };
}

function openState(envelope: string, secrets: SecretBox): AuditState | string {
  try {
    return JSON.parse(secrets.open(purpose, envelope)) as AuditState;
  } catch (error) {
    return `its seal cannot be decrypted: ${(error as Error).message}`;
  }
}

/** The state to continue from after tampering: after the newest stored entry. */
export async function stateOfRows(session: StorageSession): Promise<AuditState> {
  const at = async (direction: 'asc' | 'desc') =>
    (await session.find(auditEntries, { order: [['seq', direction]], limit: 1 }))[0];
  const [first, last] = [await at('asc'), await at('desc')];
  const removed = first ? { seq: first.seq - 1, hash: first.previous_hash } : chainBegin;
  return { last: last ? { seq: last.seq, hash: last.hash } : chainBegin, removed };
}

/** Throws StoreError `conflict` when another process was first. */
export async function writeAuditHead(
  session: StorageSession,
  { row, state, secrets }: { row: AuditHeadRow | undefined; state: AuditState; secrets: SecretBox },
): Promise<void> {
  const envelope = secrets.seal(purpose, JSON.stringify(state));
  if (!row) {
    await session.insert(auditHeads, { state: envelope });
    return;
  }
  const where = { slot: 1, version: row.version };
  const written = await session.update(auditHeads, where, { version: row.version + 1, state: envelope });
  if (written === 0) throw new StoreError('conflict', 'Another process added to the audit trail.');
}

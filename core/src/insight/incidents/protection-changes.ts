import type { StorageBackend } from '@holdfast/plugin-api';
import { inTransaction } from '../../foundation/kernel/index.js';
import type { RepositoryFacts } from '../monitoring/index.js';
import type { IncidentsNeeds } from './needs.js';
import { type ProtectionStateRow, protectionStates } from './tables.js';
import { changing } from './write-incidents.js';

const batchSize = 200;

/**
 * Records an event for each repository that is judged differently than before. `before`: as read before the facts. The
 * first judgement of a repository is only stored.
 */
export async function recordProtectionChanges(
  needs: IncidentsNeeds,
  before: readonly ProtectionStateRow[],
  judged: readonly RepositoryFacts[],
): Promise<void> {
  const known = new Map(before.map((row) => [row.repository_id, row]));
  await insertNew(
    needs,
    judged.filter(({ row }) => !known.has(row.id)),
  );
  for (const fact of judged) {
    const was = known.get(fact.row.id);
    const { state, damaged } = fact.protection;
    if (was && (was.state !== state || was.damaged !== damaged)) await recordChange(needs, was, fact);
    known.delete(fact.row.id);
  }
  const gone = [...known.keys()];
  for (let from = 0; from < gone.length; from += batchSize) {
    await needs.storage.remove(protectionStates, {
      repository_id: { in: gone.slice(from, from + batchSize) },
    });
  }
}

const recordChange = (needs: IncidentsNeeds, was: ProtectionStateRow, { row, protection }: RepositoryFacts) =>
  changing(needs, async (session, record) => {
    const { state, damaged, reasons } = protection;
    const seen = { id: was.id, state: was.state, damaged: was.damaged };
    const now = { state, damaged, changed_at: needs.clock.now() };
    if ((await session.update(protectionStates, seen, now)) === 0) return;
    await record('protection_changed', {
      repository_id: row.id,
      repository_name: row.name,
      repository_path: row.path,
      from: was.state,
      to: state,
      damaged,
      reasons: reasons.map(String),
    });
  });

async function insertNew(
  { storage, clock }: IncidentsNeeds,
  facts: readonly RepositoryFacts[],
): Promise<void> {
  for (let from = 0; from < facts.length; from += batchSize) {
    await insertBatch(storage, facts.slice(from, from + batchSize), clock.now());
  }
}

const insertBatch = (storage: StorageBackend, facts: readonly RepositoryFacts[], changed_at: number) =>
  inTransaction(storage, async (session) => {
    const where = { repository_id: { in: facts.map(({ row }) => row.id) } };
    const present = new Set(
      (await session.find(protectionStates, { where })).map((row) => row.repository_id),
    );
    for (const { row, protection } of facts) {
      if (present.has(row.id)) continue;
      const { state, damaged } = protection;
      await session.insert(protectionStates, { repository_id: row.id, state, damaged, changed_at });
    }
  });

import type { StorageSession } from '@holdfast/plugin-api';
import type { JobRow } from '../../engine/jobs/index.js';
import { type Message, say } from '../../foundation/kernel/index.js';
import { claimsIn, claimsOf } from '../sources/index.js';
import { planPurpose } from './hook-journal.js';
import type { HooksNeeds } from './needs.js';
import { type HookPlan, openStages } from './script.rules.js';
import { hookJournals } from './tables.js';

/**
 * The ended backup that still has to release something that this one has to prepare; null when none. Otherwise the
 * release would start a container in the middle of this backup.
 */
export async function waitsForRelease(
  needs: Pick<HooksNeeds, 'sourceKinds' | 'secrets'>,
  session: StorageSession,
  job: JobRow,
): Promise<Message | null> {
  const own = await claimsOf(needs, session, job.repository_id);
  if (own.length === 0) return null;
  const open = await session.find(hookJournals, { where: { scope: 'job', stage: { in: openStages } } });
  for (const { uid, plan, job_id, sources: states } of open) {
    const held = states?.find(({ undo, released }) => undo !== null && released === null);
    if (!held || job_id === job.id) continue;
    const { sources } = JSON.parse(needs.secrets.open(planPurpose(uid), plan)) as HookPlan;
    if (sources && claimsIn(needs, sources).some((claim) => own.includes(claim)))
      return say`waiting_for_release: the release of ${{ source: held.name }} after backup job ${{ job: job_id ?? 0 }}`;
  }
  return null;
}

import { randomUUID } from 'node:crypto';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import type { JobContext, JobRow } from '../../engine/jobs/index.js';
import { inOwnTransaction } from '../../engine/jobs/index.js';
import { type Message, type ParameterValues, say } from '../../foundation/kernel/index.js';
import { type ScheduleFacts, scheduleFactsOf } from '../schedules/calendar/index.js';
import { slots } from '../schedules/tables.js';
import { HookJournal, type JournalNeeds, planPurpose } from './hook-journal.js';
import type { HooksNeeds } from './needs.js';
import { libraryHook } from './plan-hooks.js';
import { type HookPlan, openStages, type PlannedHook } from './script.rules.js';
import { type HookJournalRow, hookJournals, scripts } from './tables.js';

type Needs = JournalNeeds & HooksNeeds;

/** Opens the journal of a job's hooks, before the first hook starts. */
export async function openJobJournal(
  needs: Needs,
  { job, repository, lost }: JobContext,
  plan: HookPlan,
): Promise<HookJournal> {
  const uid = randomUUID();
  const row = await inOwnTransaction(needs.storage, job, async (session) => {
    const [written] = await session.find(hookJournals, { where: { uid }, limit: 1 });
    return (
      written ??
      session.insert(hookJournals, {
        uid,
        scope: 'job',
        job_id: job.id,
        repository_id: repository.id,
        job_ids: [job.id],
        plan: needs.secrets.seal(planPurpose(uid), JSON.stringify(plan)),
        stage: 'before',
        failures: [],
        fence: job.fence,
        created_at: needs.clock.now(),
      })
    );
  });
  return new HookJournal(needs, row, lost);
}

/**
 * Takes over the journal that an earlier run of the job opened; null when there is none. Terminates what that
 * run left running first.
 */
export async function takeOverJobJournal(
  needs: Needs,
  { job, lost, log }: JobContext,
): Promise<HookJournal | null> {
  const where = { scope: 'job' as const, job_id: job.id };
  const [found] = await needs.storage.find(hookJournals, { where, limit: 1 });
  if (!found) return null;
  const taken = { id: found.id, fence: { lt: job.fence } };
  if (
    found.fence !== job.fence &&
    (await needs.storage.update(hookJournals, taken, { fence: job.fence })) === 0
  ) {
    return null;
  }
  const [row] = await needs.storage.find(hookJournals, { where: { id: found.id }, limit: 1 });
  if (!row) return null;
  await endLeftover(needs, row);
  if (row.process) log({ level: 'warning', text: 'A hook was interrupted when Holdfast stopped.' });
  return new HookJournal(needs, row, lost);
}

/**
 * Hooks of one job never run at the same time, so a process that an earlier run left behind is terminated
 * first.
 */
export async function endLeftover(
  { scriptRunner, log }: Pick<Needs, 'scriptRunner' | 'log'>,
  { id, process }: Pick<HookJournalRow, 'id' | 'process'>,
): Promise<void> {
  if (!process) return;
  try {
    const found = await scriptRunner.endProcess(process);
    log.info('checked for a leftover hook process', { journal: id, process, found });
  } catch (error) {
    if (isStoreError(error)) throw error;
    log.error('could not terminate a leftover hook process', { journal: id, process, error });
  }
}

/** A run whose schedule has its own scripts. */
export interface ScriptedRun {
  facts: ScheduleFacts;
  slotId: number;
}

/** Null when the schedule of the job has no scripts. */
export function scriptedRunOf(job: Pick<JobRow, 'parameters' | 'slot_id'>): ScriptedRun | null {
  const facts = scheduleFactsOf(job);
  if (!facts || job.slot_id === null) return null;
  const asked = facts.preBackupScriptId !== null || facts.postBackupScriptId !== null;
  return asked ? { facts, slotId: job.slot_id } : null;
}

/** The journal of a run, created by the first of its jobs that needs it. */
export async function openSlotJournal(needs: JournalNeeds, run: ScriptedRun): Promise<HookJournalRow> {
  const find = async () => {
    const [row] = await needs.storage.find(hookJournals, { where: { slot_id: run.slotId }, limit: 1 });
    return row;
  };
  const known = await find();
  if (known) return known;
  try {
    return await insertJournal(needs, run);
  } catch (error) {
    const row = isStoreError(error, 'unique') ? await find() : undefined;
    if (!row) throw error;
    return row;
  }
}

/**
 * Before backups of an ended run are tried again, with its scripts. False while these still run, of the attempt before.
 */
export async function reopenRun(session: StorageSession, slotId: number): Promise<boolean> {
  const [row] = await session.find(hookJournals, { where: { slot_id: slotId }, limit: 1 });
  if (!row) return true;
  return (await session.remove(hookJournals, { id: row.id, stage: 'closed' })) > 0;
}

async function insertJournal(needs: JournalNeeds, { facts, slotId }: ScriptedRun): Promise<HookJournalRow> {
  const { storage, secrets, clock } = needs;
  const uid = randomUUID();
  const [slot] = await storage.find(slots, { where: { id: slotId }, limit: 1 });
  const plan: HookPlan = {
    pre: await hookOf(needs, facts.preBackupScriptId, facts.preBackupScriptParameters),
    post: await hookOf(needs, facts.postBackupScriptId, facts.postBackupScriptParameters),
    environment: {},
    continueOnFailure: false,
  };
  return storage.insert(hookJournals, {
    uid,
    scope: 'slot',
    slot_id: slotId,
    schedule_id: facts.id,
    job_ids: slot?.job_ids ?? [],
    plan: secrets.seal(planPurpose(uid), JSON.stringify(plan)),
    stage: 'waiting',
    failures: [],
    created_at: clock.now(),
  });
}

async function hookOf(
  { storage, secrets }: JournalNeeds,
  id: number | null,
  values: ParameterValues | null,
): Promise<PlannedHook[]> {
  if (id === null) return [];
  const [script] = await storage.find(scripts, { where: { id }, limit: 1 });
  return script ? [libraryHook(secrets, script, values)] : [missingHook(id)];
}

/** A deleted script fails like one that can't run, because its preparations are missing. */
const missingHook = (id: number): PlannedHook => ({
  name: `script ${id}, which was deleted`,
  scriptId: null,
  environment: {},
  secrets: [],
  content: 'echo "This script was deleted. Choose another one for the schedule." >&2; exit 1',
  timeoutSeconds: 10,
  runOn: 'always',
  counts: true,
});

/**
 * What a job of a schedule with scripts waits for in addition to its repository: runs of such a schedule
 * never overlap. Considers earlier runs only, so that no two runs wait for each other.
 */
export async function waitsForEarlierRun(session: StorageSession, job: JobRow): Promise<Message | null> {
  const run = scriptedRunOf(job);
  if (!run) return null;
  const earlier = { schedule_id: run.facts.id };
  const open = { ...earlier, id: { lt: run.slotId }, outcome: 'running' as const };
  const owed = { ...earlier, slot_id: { lt: run.slotId }, stage: { in: openStages } };
  const waits =
    (await session.find(slots, { where: open, limit: 1 })).length > 0 ||
    (await session.find(hookJournals, { where: owed, limit: 1 })).length > 0;
  const { name: schedule } = run.facts;
  return waits ? say`waiting_for_earlier_run: the end of the earlier run of schedule ${{ schedule }}` : null;
}

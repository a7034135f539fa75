import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { repositories } from '../../backup/repositories/index.js';
import { jobs, terminalStatuses } from '../../engine/jobs/index.js';
import type { NewEvent } from '../../foundation/events/index.js';
import { type EventRow, events } from '../../foundation/events/index.js';
import { inTransaction, isoTime, type Message } from '../../foundation/kernel/index.js';
import { linkMessages } from '../notifications/index.js';
import { type Ending, type Finding, threadOf, toldAs } from './incident.rules.js';
import type { IncidentsNeeds } from './needs.js';
import { type IncidentRow, incidents } from './tables.js';

/*
 * Each change is one transaction with its events and messages. The unique `open_thread`, or the columns that it expects,
 * decide which instance makes it; for the others nothing happens.
 */

/** `after`: the highest id of an incident before the facts were read. A newer one of the thread makes them outdated. */
export async function openIncident(needs: IncidentsNeeds, finding: Finding, after: number): Promise<void> {
  const { cause, object, repositoryIds, message, since } = finding;
  const thread = threadOf(cause, object);
  await changing(needs, async (session, record) => {
    const [newer] = await session.find(incidents, { where: { thread, id: { gt: after } }, limit: 1 });
    if (newer) return;
    const row = await session.insert(incidents, {
      thread,
      open_thread: thread,
      is_open: true,
      cause,
      object_kind: object.kind,
      object_id: object.id,
      object_name: object.name,
      repository_id: object.kind === 'repository' ? object.id : null,
      opened_at: needs.clock.now(),
      since: since ?? needs.clock.now(),
      jobs_after: await lastEndedJob(session, finding),
      ...columnsOf(message),
    });
    const about = await factsOf(session, row, repositoryIds);
    await record('incident_opened', about);
    const told = toldAs[cause];
    if (told?.toldBefore) {
      const where = { kind: told.opened, repository_id: row.repository_id, at: { gte: row.since } };
      await linkMessages(session, row.id, await session.find(events, { where }));
    } else if (told) await record(told.opened, { ...about, error_message: message.text });
  });
}

export const closeIncident = (
  needs: IncidentsNeeds,
  { id, thread, ...row }: IncidentRow,
  { message, tell, repositoryIds }: Ending & { repositoryIds: readonly number[] },
): Promise<void> =>
  changing(needs, async (session, record) => {
    const closed = {
      open_thread: null,
      is_open: false,
      recovered_at: needs.clock.now(),
      recovery_code: message.code,
      recovery_params: message.params,
      recovery: message.text,
    };
    if ((await session.update(incidents, { id, open_thread: thread }, closed)) === 0) return;
    const about = {
      ...(await factsOf(session, { id, thread, ...row }, repositoryIds)),
      recovery: message.text,
    };
    await record('incident_closed', { ...about, recovery_code: message.code });
    const told = toldAs[row.cause];
    if (tell && told) await record(told.closed, about);
  });

/** Ends a snooze, and notifies again of an incident that is still open. */
export const remindOfIncident = (
  needs: IncidentsNeeds,
  row: IncidentRow,
  { message, repositoryIds }: Pick<Finding, 'message' | 'repositoryIds'>,
): Promise<void> =>
  changing(needs, async (session, record) => {
    const awake = { snoozed_until: null, snooze_reason: null, snoozed_by: null };
    const seen = { id: row.id, is_open: true, snoozed_until: row.snoozed_until };
    if ((await session.update(incidents, seen, { ...awake, ...columnsOf(message) })) === 0) return;
    const told = toldAs[row.cause];
    if (!told) return;
    const about = await factsOf(session, { ...row, ...columnsOf(message) }, repositoryIds);
    await record(told.opened, { ...about, error_message: message.text, reminder: true });
  });

const columnsOf = ({ code, params, text }: Message) => ({ code, params, sentence: text });

type Record = (kind: NewEvent['kind'], data: NewEvent['data']) => Promise<void>;

/** Announces what the work recorded, once it is committed. */
export async function changing(
  { storage, events: bus }: Pick<IncidentsNeeds, 'storage' | 'events'>,
  work: (session: StorageSession, record: Record) => Promise<void>,
): Promise<void> {
  const recorded = await inTransaction(storage, async (session) => {
    const rows: EventRow[] = [];
    await work(session, async (kind, data) => {
      const repositoryId = typeof data.repository_id === 'number' ? data.repository_id : null;
      rows.push(await bus.record(session, { kind, repositoryId, jobId: null, data }));
    });
    return rows;
  }).catch((error: unknown): EventRow[] => {
    // Another instance was faster.
    if (isStoreError(error, 'unique')) return [];
    throw error;
  });
  bus.announce(recorded);
}

async function factsOf(session: StorageSession, row: IncidentRow, repository_ids: readonly number[]) {
  const where = { id: row.repository_id ?? 0 };
  const [repository] =
    row.repository_id === null ? [] : await session.find(repositories, { where, limit: 1 });
  return {
    incident_id: row.id,
    cause: row.cause,
    code: row.code,
    params: row.params,
    sentence: row.sentence,
    object_kind: row.object_kind,
    object_id: row.object_id,
    object_name: row.object_name,
    repository_id: row.repository_id,
    repository_ids,
    opened_at: isoTime(row.opened_at),
    repository_name: repository?.name ?? null,
    repository_path: repository?.path ?? null,
  };
}

/** A job that waits or runs now may be what ends the incident. */
async function lastEndedJob(session: StorageSession, { object: { kind, id } }: Finding): Promise<number> {
  if (kind !== 'repository' && kind !== 'schedule') return 0;
  const where = {
    ...(kind === 'repository' ? { repository_id: id } : { schedule_id: id }),
    status: { in: terminalStatuses },
  };
  const [found] = await session.aggregate(jobs, { where, measures: { last: { max: 'id' } } });
  return found?.last ?? 0;
}

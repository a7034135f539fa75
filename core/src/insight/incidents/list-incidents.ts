import type { IncidentDetails, IncidentFilter, IncidentPage, IncidentView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { errorOf, jobs } from '../../engine/jobs/index.js';
import { events } from '../../foundation/events/index.js';
import { isoTime, notFound, say, shownParams } from '../../foundation/kernel/index.js';
import { deliveries, notificationSettings } from '../notifications/tables.js';
import type { IncidentsNeeds } from './needs.js';
import { type IncidentRow, incidents } from './tables.js';

/** A page, newest first. `next_before` is null at the end. */
export async function listIncidents(
  { storage }: IncidentsNeeds,
  { open, cause, repository_id, before, limit }: IncidentFilter,
): Promise<IncidentPage> {
  const rows = await storage.find(incidents, {
    where: {
      ...(open === undefined ? {} : { is_open: open }),
      ...(cause === undefined ? {} : { cause }),
      ...(repository_id === undefined ? {} : { repository_id }),
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    order: [['id', 'desc']],
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const next_before = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
  return { success: true, incidents: shown.map(incidentView), next_before };
}

const maxMessages = 100;
const maxJobs = 10;

/** With its messages, and the jobs since it was opened. Throws AppError `not_found`. */
export const getIncident =
  ({ storage }: { storage: StorageSession }) =>
  async (id: number): Promise<IncidentDetails> => {
    const row = await findIncident(storage, id);
    const [messages, attempts] = [await messagesOf(storage, row), await attemptsSince(storage, row)];
    return { ...incidentView(row), messages, attempts };
  };

/** Throws AppError `not_found`. */
export async function findIncident(session: StorageSession, id: number): Promise<IncidentRow> {
  const [row] = await session.find(incidents, { where: { id }, limit: 1 });
  if (!row) throw notFound(say`incident_unknown: There is no incident ${{ id }}: see GET /api/incidents.`);
  return row;
}

const incidentView = (row: IncidentRow): IncidentView => ({
  id: row.id,
  cause: row.cause,
  open: row.is_open,
  object: { kind: row.object_kind, id: row.object_id, name: row.object_name },
  repository_id: row.repository_id,
  opened_at: isoTime(row.opened_at),
  since: isoTime(row.since),
  reason: { code: row.code, params: shownParams(row.params), text: row.sentence },
  snoozed_until: isoTime(row.snoozed_until),
  snooze_reason: row.snooze_reason,
  snoozed_by: row.snoozed_by,
  recovered_at: isoTime(row.recovered_at),
  recovery:
    row.recovery_code === null
      ? null
      : { code: row.recovery_code, params: shownParams(row.recovery_params), text: row.recovery ?? '' },
});

async function messagesOf(
  session: StorageSession,
  { id }: IncidentRow,
): Promise<IncidentDetails['messages']> {
  const rows = await session.find(deliveries, {
    where: { incident_id: id },
    order: [['id', 'asc']],
    limit: maxMessages,
  });
  const among = (ids: readonly number[]) => ({ where: { id: { in: [...new Set(ids)] } } });
  const settings = await session.find(notificationSettings, among(rows.map((row) => row.setting_id)));
  const told = await session.find(events, among(rows.map((row) => row.event_id)));
  const nameOf = new Map(settings.map((setting) => [setting.id, setting.name]));
  const kindOf = new Map(told.map((event) => [event.id, event.kind]));
  return rows.map((row) => ({
    delivery_id: row.id,
    setting_id: row.setting_id,
    setting_name: nameOf.get(row.setting_id) ?? null,
    event: kindOf.get(row.event_id) ?? null,
    status: row.status,
    created_at: isoTime(row.created_at),
    delivered_at: row.status === 'delivered' ? isoTime(row.ended_at) : null,
    last_error: row.last_error,
    last_error_code: row.last_error_code,
    last_error_params: shownParams(row.last_error_params),
  }));
}

const triedKinds = ['backup', 'check', 'drill'] as const;

/** Backups and checks of the repository, after a failed drill also drills; or the jobs of the schedule, until the incident was over. */
async function attemptsSince(
  session: StorageSession,
  { cause, object_kind, object_id, jobs_after, recovered_at }: IncidentRow,
): Promise<IncidentDetails['attempts']> {
  if (object_kind !== 'repository' && object_kind !== 'schedule') return { count: 0, last: [] };
  const where = {
    ...(object_kind === 'repository' ? { repository_id: object_id } : { schedule_id: object_id }),
    kind: { in: cause === 'drill_failed' ? triedKinds : triedKinds.slice(0, 2) },
    id: { gt: jobs_after },
    ...(recovered_at === null ? {} : { requested_at: { lte: recovered_at } }),
  };
  const [counted] = await session.aggregate(jobs, { where, measures: { count: { count: true } } });
  const last = await session.find(jobs, { where, order: [['id', 'desc']], limit: maxJobs });
  return {
    count: counted?.count ?? 0,
    last: last.map((job) => ({
      job_id: job.id,
      kind: job.kind as (typeof triedKinds)[number],
      status: job.status,
      requested_at: isoTime(job.requested_at),
      completed_at: isoTime(job.completed_at),
      ...errorOf(job),
    })),
  };
}

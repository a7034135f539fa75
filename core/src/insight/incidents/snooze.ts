import type { IncidentDetails, Snooze } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { Caller } from '../../foundation/kernel/index.js';
import { conflict, inTransaction, invalid, say } from '../../foundation/kernel/index.js';
import { findIncident, getIncident } from './list-incidents.js';
import type { IncidentsNeeds } from './needs.js';
import { type IncidentRow, incidents } from './tables.js';

const longestMs = 366 * 86_400_000;

/**
 * No reminder is sent until then. Throws AppError `not_found`, `invalid` for a time that has passed or is more than a
 * year ahead, and `conflict` when the incident is over.
 */
export async function snoozeIncident(
  needs: IncidentsNeeds,
  caller: Caller,
  id: number,
  { until, reason }: Snooze,
): Promise<IncidentDetails> {
  const [now, at] = [needs.clock.now(), Date.parse(until)];
  if (at <= now) throw invalid(say`snooze_in_the_past: until is in the past: send a time in the future.`);
  if (at > now + longestMs) throw invalid(say`snooze_too_long: until must be within a year from now.`);
  const patch = { snoozed_until: at, snooze_reason: reason, snoozed_by: caller.username };
  return whileOpen(needs, id, (session) => session.update(incidents, { id, is_open: true }, patch));
}

/** Throws AppError `not_found`, and `conflict` when the incident is over. An incident that is awake stays so. */
export function wakeIncident(needs: IncidentsNeeds, id: number): Promise<IncidentDetails> {
  return whileOpen(needs, id, (session) => {
    const awake = { snoozed_until: null, snooze_reason: null, snoozed_by: null };
    return session.update(incidents, { id, is_open: true }, awake);
  });
}

const whileOpen = (
  { storage }: IncidentsNeeds,
  id: number,
  change: (session: StorageSession) => Promise<number>,
): Promise<IncidentDetails> =>
  inTransaction(storage, async (session) => {
    assertOpen(await findIncident(session, id));
    await change(session);
    return getIncident({ storage: session })(id);
  });

function assertOpen({ id, is_open }: IncidentRow): void {
  if (!is_open) throw conflict(say`incident_is_over: Incident ${{ id }} is already resolved.`);
}

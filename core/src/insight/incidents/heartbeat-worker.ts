import type { StorageBackend } from '@holdfast/plugin-api';
import { type Pace, paces, reasonOf } from '../../foundation/kernel/index.js';
import type { Heartbeat } from '../../foundation/ports/heartbeat.js';
import { getProtectionHealth, type HeartbeatState } from '../monitoring/index.js';
import { endDuty, forgetDuty, readDuty, takeDuty } from './duty.js';
import type { IncidentsNeeds } from './needs.js';
import { type WatchWorker, watchWorker } from './watch-worker.js';

/** Longer than one attempt may take. */
const holdMs = 30_000;
const duty = 'heartbeat';

interface Parts {
  /** Null when no address is set. */
  heartbeat: Heartbeat | null;
  /** Learns in each instance what came of the last attempt of any. */
  state: HeartbeatState;
  times?: Pace['heartbeat'];
}

/** Asks the monitor every five minutes, by one of all instances. */
export function makeHeartbeatWorker(
  needs: IncidentsNeeds,
  { heartbeat, state, times: { every, lookEvery } = paces.usual.heartbeat }: Parts,
): WatchWorker {
  const { storage, clock, log } = needs;
  const health = getProtectionHealth(needs);
  const look = async () => {
    if (!heartbeat) return forget(storage);
    const now = clock.now();
    const isDue = ({ due_at }: { due_at: number }) => due_at <= now || due_at > now + every;
    const row = await takeDuty(storage, { name: duty, now, holdMs, isDue });
    if (!row) {
      state.problem = (await readDuty(storage, duty))?.note?.problem ?? null;
      return;
    }
    const problem = await beat(heartbeat, await health());
    if (problem !== null && row.note?.problem == null) log.warn('the heartbeat failed', { reason: problem });
    if (problem === null && row.note?.problem != null) log.info('the heartbeat works again');
    state.problem = problem;
    await endDuty(storage, row, { due_at: now + every, note: { problem, at: now } });
  };
  const beat = (to: Heartbeat, { status, detail }: { status: string; detail: string }) =>
    to.beat(status === 'protected' ? null : detail).then(
      () => null,
      (error: unknown) => needs.redactor.redact(reasonOf(error)),
    );
  return watchWorker(look, { everyMs: lookEvery, log, failure: 'could not send a heartbeat; retrying' });
}

/** The result of an address that was removed from the configuration must not stay in the metrics. */
async function forget(storage: StorageBackend): Promise<void> {
  if (await readDuty(storage, duty)) await forgetDuty(storage, duty);
}

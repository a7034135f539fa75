import { setTimeout as pause } from 'node:timers/promises';
import { type BackupDriver, DriverError } from '@holdfast/plugin-api/driver';
import { bootId, isAlive } from '../process-identity.js';
import { signalGroup, signalPauseMs } from '../stop-process.js';

/** A terminated borg leaves no lock behind. It is not our child, so its end must be polled. */
export const endProcess = (): BackupDriver['endProcess'] => async (process) => {
  if (process.host !== bootId()) return 'elsewhere';
  if (!isAlive(process)) return 'gone';
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalGroup(process.pid, signal);
    const end = performance.now() + signalPauseMs;
    while (performance.now() < end) {
      if (!isAlive(process)) return 'ended';
      await pause(25);
    }
  }
  throw new DriverError('failed', `The process ${process.pid} could not be ended.`);
};

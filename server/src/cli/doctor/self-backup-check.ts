import { type SelfBackupFacts, selfBackupFacts } from '@holdfast/core/server';
import type { Finding, StorageBackend } from '@holdfast/plugin-api';
import { ok, warning } from './check.js';

const hourMs = 3_600_000;
/** One daily backup may fail before this warns. */
const freshHours = 50;

/** Whether there is something to recover from when this machine is gone. */
export async function selfBackup(storage: StorageBackend): Promise<Finding[]> {
  return [judge(await selfBackupFacts(storage), Date.now())];
}

function judge({ path, enabled, lastBackup }: SelfBackupFacts, now: number): Finding {
  const advice = 'Turn it on in the console (Settings, Recovery) or with PUT /api/system/self-backup.';
  if (path === null) return warning('Holdfast does not back up itself.', advice);
  if (!enabled) return warning(`The backup of Holdfast itself to ${path} is turned off.`, advice);
  const look = 'See the last job of its repository.';
  if (lastBackup === null)
    return warning(`The backup of Holdfast itself to ${path} has not run yet.`, 'Start it once.');
  const hours = Math.floor((now - lastBackup) / hourMs);
  if (hours > freshHours)
    return warning(`The newest backup of Holdfast itself in ${path} is ${hours} hours old.`, look);
  return ok(`The newest backup of Holdfast itself in ${path} is ${hours} hours old.`);
}

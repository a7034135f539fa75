import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DriverError } from '@holdfast/plugin-api/driver';
import type { Call } from '../command.js';
import { baseFolder } from '../environment.js';
import { repositoryArgument } from '../location.js';
import { parseJson } from '../parse/json.js';

type Run = (call: Call) => Promise<{ output: string }>;

/** When this service saw the last change of the repository, and when that was as it is now, as `run` reads it. */
export async function olderState(call: Pick<Call, 'context' | 'target'>, error: DriverError, run: Run) {
  const { context, target } = call;
  const base = baseFolder(context.dataFolder, target.uid);
  const [seen, now] = await Promise.all([lastSeen(base, target.expected?.id), lastChange(call, base, run)]);
  if (seen === null || now === null) return error;
  return new DriverError(
    'older_state',
    `The repository is in an older state: its last change was seen as of ${seen}, now it is of ${now}. Was it put ` +
      'back from a snapshot or a copy? Archives made in between are not in it.',
    error.options,
  );
}

const shown = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** The tool's own record. */
const lastSeen = (base: string, id = '') =>
  readFile(join(base, '.config', 'borg', 'security', id, 'manifest-timestamp'), 'utf8').then(
    shown,
    () => null,
  );

/** Looks with records of its own, so that the tool compares with nothing. */
async function lastChange({ context, target }: Pick<Call, 'context' | 'target'>, base: string, run: Run) {
  const records = join(base, 'other-records');
  const answers = { BORG_CACHE_DIR: join(records, 'cache'), BORG_SECURITY_DIR: join(records, 'security') };
  const args = [repositoryArgument(target.location)];
  const command = { verb: ['list'], flags: ['--json', '--last=1'], args, answers };
  try {
    const { output } = await run({ context, target, command, options: { bypassLock: true } });
    return shown(
      parseJson<{ repository: { last_modified?: string } }>(output).repository.last_modified ?? '',
    );
  } catch {
    return null;
  } finally {
    await rm(records, { recursive: true, force: true }).catch(() => {});
  }
}

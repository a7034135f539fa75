import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import plugin from '@holdfast/driver-borg';
import type { BackupDriver, OperationOptions, ToolProcess } from '@holdfast/plugin-api/driver';
import { backupDriverSuite, type ConformanceCase } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';
import { abandoningDriver } from '../broken-plugins/driver-abandoning.js';
import { agreeableDriver } from '../broken-plugins/driver-agreeable.js';
import { copyingDriver } from '../broken-plugins/driver-copying.js';
import { deafDriver } from '../broken-plugins/driver-deaf.js';
import { greedyDriver } from '../broken-plugins/driver-greedy.js';
import { hastyDriver } from '../broken-plugins/driver-hasty.js';
import { heedlessDriver } from '../broken-plugins/driver-heedless.js';
import { impatientDriver } from '../broken-plugins/driver-impatient.js';
import { lenientDriver } from '../broken-plugins/driver-lenient.js';
import { litteringDriver } from '../broken-plugins/driver-littering.js';
import { localTimeDriver } from '../broken-plugins/driver-local-time.js';
import { lossyDriver } from '../broken-plugins/driver-lossy.js';
import { muteDriver } from '../broken-plugins/driver-mute.js';
import { recklessDriver } from '../broken-plugins/driver-reckless.js';
import { talkativeDriver } from '../broken-plugins/driver-talkative.js';
import { trustingDriver } from '../broken-plugins/driver-trusting.js';
import { unaskingDriver } from '../broken-plugins/driver-unasking.js';
import { unchoosyDriver } from '../broken-plugins/driver-unchoosy.js';
import { vagueDriver } from '../broken-plugins/driver-vague.js';

type Break = (driver: BackupDriver) => BackupDriver;

/** The suite over the real driver with one promise broken. What it leaves running is ended by `close`. */
function suiteOf(breakIt: Break): ConformanceCase[] {
  return backupDriverSuite({
    encryptions: ['repokey', 'keyfile'],
    newTarget: (folder) => ({
      uid: randomUUID(),
      location: join(folder, randomUUID()),
      passphrase: null,
      keyFile: null,
      remoteToolPath: null,
    }),
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'broken-driver-'));
      const sound = (await makeSound(folder)) as BackupDriver;
      const started: ToolProcess[] = [];
      const close = async () => {
        for (const tool of started) await sound.endProcess(tool);
        await rm(folder, { recursive: true, force: true });
      };
      return { driver: breakIt(watched(sound, started)), workFolder: folder, close };
    },
  });
}

const makeSound = (folder: string) =>
  plugin.create({
    configuration: { binary: 'borg' },
    dataFolder: join(folder, 'data'),
    clock: { now: () => Date.now() },
    log: { warn() {} } as never,
    fetch,
  });

/** Remembers the processes of backups and listings. */
function watched(driver: BackupDriver, started: ToolProcess[]): BackupDriver {
  const watch = (options?: OperationOptions): OperationOptions => ({
    ...options,
    onProcess(tool) {
      started.push(tool);
      return options?.onProcess?.(tool);
    },
  });
  return {
    ...driver,
    createArchive: (target, input, options) => driver.createArchive(target, input, watch(options)),
    listEntries: (target, input, options) => driver.listEntries(target, input, watch(options)),
  };
}

async function run(breakIt: Break, name: string): Promise<void> {
  const found = suiteOf(breakIt).find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no case "${name}"`);
  await found.run();
}

describe('the suite for backup drivers', () => {
  it.each<[string, Break, string]>([
    [
      'does not end a cancelled backup',
      deafDriver,
      'a cancelled backup rejects, ends the tool and leaves a usable repository',
    ],
    ['starts the tool without a last check', unaskingDriver, 'beforeStart can prevent the start of the tool'],
    ['makes the last check too early', hastyDriver, 'beforeStart is called in the same turn as each start'],
    [
      "starts a tool that can't be ended",
      impatientDriver,
      'a tool whose process could not be recorded ends without having begun',
    ],
    [
      'starts a tool after its abort',
      impatientDriver,
      'a tool that is aborted before it was recorded ends without having begun',
    ],
    ['holds a whole listing', greedyDriver, 'a listing waits for its reader and ends with it'],
    ['forgets a listing', abandoningDriver, 'a listing waits for its reader and ends with it'],
    ['loses names that are not UTF-8', lossyDriver, 'every kind of entry and name is listed'],
    ['delivers damaged files', lenientDriver, 'damaged content is an error of the stream'],
    ['finds paths that are not there', lenientDriver, 'unknown archives and paths have their own errors'],
    [
      'restores files that were not selected',
      unchoosyDriver,
      'extract restores every file, or only the chosen ones',
    ],
    ['makes several files of one', copyingDriver, 'extract restores every file, or only the chosen ones'],
    ['hides warnings', muteDriver, 'a missing source is named in a warning, the others are stored'],
    ['deletes what was never there', agreeableDriver, 'deletion uses exact names and reports missing ones'],
    ['shows the passphrase', talkativeDriver, 'no process shows the passphrase'],
    ['ends other processes', recklessDriver, 'endProcess ends exactly the given process'],
    [
      'does not report a locked repository',
      vagueDriver,
      'during a write, a read reports the lock and its holder in time, or works without the lock',
    ],
    ['leaves folders behind', litteringDriver, 'a failed init leaves nothing behind'],
    ['mistakes the zone of times', localTimeDriver, 'list and info return what create was given'],
    [
      'accepts any repository',
      heedlessDriver,
      'a repository other than the expected one is neither changed nor listed',
    ],
    [
      'accepts any key',
      trustingDriver,
      'keyfile: the exported key opens the repository, and no other key does',
    ],
  ])('finds the driver that %s', async (_, breakIt, name) => {
    await expect(run(breakIt, name)).rejects.toThrowError(AssertionError);
  });
});

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { BackupDriver, RepositoryTarget, SourceHost } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
  await mkdir(join(folder, 'source'));
  await writeFile(join(folder, 'source', 'file'), 'content');
});
afterEach(() => stopAndRemove(folder));

/** This machine as a host. As with ssh, its programs have pipes. */
const host = (toolPath: string): SourceHost => ({
  name: 'root@host',
  toolPath,
  async run(command) {
    const child = spawn('bash', ['-c', 'exec "$@" < <(exec cat) > >(exec cat)', 'host', ...command]);
    const arrived = finished(child.stdout);
    const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.on('exit', (code, signal) => void arrived.then(() => resolve({ code, signal }))),
    );
    // At its end, Node drops what nobody has read yet.
    const [stdout, stderr] = [child.stdout.pipe(new PassThrough()), child.stderr.pipe(new PassThrough())];
    return { stdin: child.stdin, stdout, stderr, exit };
  },
});

const inputOf = (name: string) => ({
  name,
  comment: 'a comment',
  sources: [join(folder, 'source')],
  excludePatterns: [],
  compression: 'lz4',
  customFlags: [],
});

/** Makes one archive in each way; resolves to their names. */
async function writeAll(driver: BackupDriver, target: RepositoryTarget, tool: string): Promise<string[]> {
  await driver.createArchive(target, inputOf('created'));
  for (const way of ['tar', 'tool'] as const) {
    const pulled = await driver.pullArchive?.(target, { ...inputOf(way), host: host(tool), way });
    expect(pulled?.value.way).toBe(way);
  }
  await driver.check?.(target, { repair: true });
  return ['created', 'tar', 'tool'];
}

const repository = (): RepositoryTarget => {
  const location = join(folder, 'repository');
  return { uid: 'one', location, passphrase: 'a secret', keyFile: null, remoteToolPath: null };
};

test('creates each archive under its own name', async () => {
  const driver = await makeDriver(join(folder, 'data'));
  await driver.init(repository(), { encryption: 'repokey' });
  for (const archive of await writeAll(driver, repository(), 'borg')) {
    const { value } = await driver.archiveInfo(repository(), { archive });
    expect(value.commandLine.filter((word) => word.includes('::'))).toEqual([
      expect.stringMatching(`::${archive}$`),
    ]);
  }
}, 300_000);

// The long lane builds one and names it.
const newer = process.env.HOLDFAST_BORG_14;

if (newer)
  describe('archives of one borg', () => {
    test.each([
      ['1.2', '1.4', 'borg', newer],
      ['1.4', '1.2', newer, 'borg'],
    ])(
      'lists, checks and extracts archives of %s with %s',
      async (_, __, writer, reader) => {
        const writing = await makeDriver(join(folder, 'writing'), writer);
        await writing.init(repository(), { encryption: 'repokey-blake2' });
        const names = await writeAll(writing, repository(), writer);
        const reading = await makeDriver(join(folder, 'reading'), reader);
        const { value: listed } = await reading.listArchives(repository(), {});
        expect(listed.map(({ name, comment }) => [name, comment])).toEqual(
          names.map((name) => [name, 'a comment']),
        );
        await reading.check?.(repository(), { verifyData: true });
        for (const archive of names) {
          const target = join(folder, `out-${archive}`);
          await mkdir(target);
          await reading.extract?.(repository(), { archive, paths: [], folder: target });
          expect(await readFile(join(target, folder, 'source', 'file'), 'utf8')).toBe('content');
        }
        await reading.createArchive(repository(), inputOf('by the reader'));
        expect((await writing.listArchives(repository(), {})).value.map(({ name }) => name)).toContain(
          'by the reader',
        );
      },
      300_000,
    );
  });

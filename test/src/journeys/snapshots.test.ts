/** Folders that change while they are backed up, and are read from Btrfs snapshots. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  download,
  endedJob,
  isTerminal,
  type Job,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { FileSystems } from '../faults/file-systems.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const disk = join(workspace.path, 'disk');
const folder = join(disk, `it's "$(data)"`);
const gate = join(workspace.path, 'gate');
const repository = join(workspace.path, 'repository');
let systems: FileSystems;
let server: TestServer;
let api: Api;

/** Waits before each backup until the test has opened and closed the gate, if there is one. */
const waitingBorg = `#!/bin/sh
[ "$1" != create ] || [ ! -p '${gate}' ] || cat '${gate}'
PATH='${process.env.PATH}' exec borg "$@"
`;

beforeAll(async () => {
  systems = new FileSystems();
  systems.btrfs(disk);
  mkdirSync(folder);
  writeFileSync(join(folder, 'ann.txt'), 'Dear Ann');
  execFileSync('btrfs', ['subvolume', 'create', join(folder, 'inner')], { stdio: 'pipe' });
  writeFileSync(join(folder, 'inner', 'bob.txt'), 'Dear Bob');
  const programs = workspace.folder('programs');
  writeFileSync(join(programs, 'borg'), waitingBorg, { mode: 0o755 });
  server = await TestServer.start({ workspace, env: { PATH: `${programs}:${process.env.PATH}` } });
  api = await server.login();
  await createRepository(api, {
    name: 'home',
    path: repository,
    source_directories: [folder],
    sources: [{ kind: 'snapshot', name: 'disk', settings: {} }],
  });
});
afterAll(async () => {
  await server?.stop();
  systems?.remove();
  await server?.remove();
});

const snapshots = () =>
  [disk, join(folder, 'inner')]
    .flatMap((path) => readdirSync(path))
    .filter((name) => name.startsWith('.holdfast-'));

/** Begins a backup, and calls `work` when its snapshots are made and nothing is read yet. */
async function during(work: () => Promise<void> | void): Promise<Job> {
  execFileSync('mkfifo', [gate]);
  const id = await startBackup(api, repository);
  // Opens when the other end does.
  const writer = await open(gate, 'w');
  try {
    await work();
  } finally {
    rmSync(gate);
    await writer.close();
  }
  return endedJob(api, id);
}

const stored = async (archive: string | null, ...path: string[]) => {
  const { bytes } = (await download(api, {
    repository,
    archive: archive ?? '',
    path: archived(join(folder, ...path)),
  })) as never as { bytes: Buffer };
  return String(bytes);
};

test('checks the source directories and names the volumes', async () => {
  const source = { kind: 'snapshot', name: 'disk', settings: {} };
  const check = async (source_directories: string[]) =>
    (await api.post('/api/sources/check', { source, source_directories })).body.findings;
  expect(await check([folder])).toEqual([
    {
      status: 'ok',
      text: `A snapshot is made for each backup: btrfs ${disk}, btrfs ${join(folder, 'inner')}.`,
    },
  ]);
  expect(await check(['/dev/shm'])).toMatchObject([
    { status: 'failed', text: expect.stringContaining('/dev/shm is on tmpfs') },
  ]);
});

test('backs up a changing folder as it was at one moment', async () => {
  const job = await during(() => {
    expect(snapshots()).toHaveLength(2);
    for (const path of [join(folder, 'ann.txt'), join(folder, 'inner', 'bob.txt')])
      writeFileSync(path, 'Changed');
    writeFileSync(join(folder, 'new.txt'), '');
  });
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(snapshots()).toEqual([]);
  const items = await contentsOf(api, {
    repository,
    archive: job.archive_name ?? '',
    path: archived(folder),
  });
  expect(items.map(({ name }) => name).sort()).toEqual(['ann.txt', 'inner']);
  expect(await stored(job.archive_name, 'ann.txt')).toBe('Dear Ann');
  expect(await stored(job.archive_name, 'inner', 'bob.txt')).toBe('Dear Bob');
});

test('fails when a snapshot was removed during the backup', async () => {
  const job = await during(() => {
    execFileSync('btrfs', ['subvolume', 'delete', join(folder, 'inner', snapshots()[1] ?? '')], {
      stdio: 'pipe',
    });
  });
  expect(job.status).toBe('failed');
  expect(job.error_message).toContain('so the archive may be damaged: it is gone.');
  expect(snapshots()).toEqual([]);
});

test('removes snapshots within 60 s after kill -9', async () => {
  const before = (await archivesOf(api, repository)).length;
  execFileSync('mkfifo', [gate]);
  const id = await startBackup(api, repository);
  const writer = await open(gate, 'w');
  expect(snapshots()).toHaveLength(2);
  await server.stop('SIGKILL');
  await writer.close();
  rmSync(gate);
  await server.launch();
  const relaunched = Date.now();
  await waitFor(() => snapshots().length === 0, { what: 'the release', timeoutMs: 60_000 });
  expect(Date.now() - relaunched).toBeLessThan(60_000);
  expect((await endedJob(api, id)).status).toBe('failed');
  expect(await archivesOf(api, repository)).toHaveLength(before);
  expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain('.holdfast-');
});

test('restores to the original paths', async () => {
  writeFileSync(join(folder, 'ann.txt'), 'Dear Ann');
  const job = await backUp(api, repository);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  writeFileSync(join(folder, 'ann.txt'), 'Lost');
  const wanted = {
    repository,
    archive: job.archive_name,
    paths: [archived(join(folder, 'ann.txt'))],
    layout: 'selection',
    destination: folder,
    overwrite: true,
  };
  const { body } = await api.post('/api/restore/start', wanted);
  const restored = await waitFor(
    async () => {
      const { body: found } = await api.get(`/api/restore/status/${body.job_id}`);
      return isTerminal(found) && found;
    },
    { what: 'the end of the restore' },
  );
  expect([restored.status, restored.error_message]).toEqual(['completed', null]);
  expect(readFileSync(join(folder, 'ann.txt'), 'utf8')).toBe('Dear Ann');
});

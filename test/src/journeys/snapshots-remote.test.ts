/** Folders of another host that are backed up from Btrfs snapshots. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../actions.js';
import { FileSystems } from '../faults/file-systems.js';
import { PullFixture } from '../pull-fixture.js';

let host: PullFixture;
let systems: FileSystems;
let disk: string;
let folder: string;
const source = { kind: 'snapshot', name: 'disk', settings: {} };

beforeAll(async () => {
  systems = new FileSystems();
  host = await PullFixture.start();
  disk = join(host.sshd.ownFolder('disks'), 'disk');
  systems.btrfs(disk);
  folder = join(disk, `it's "$(data)"`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'ann.txt'), 'Dear Ann');
  execFileSync('btrfs', ['subvolume', 'create', join(folder, 'inner')], { stdio: 'pipe' });
  writeFileSync(join(folder, 'inner', 'bob.txt'), 'Dear Bob');
});
afterAll(async () => {
  systems?.remove();
  await host?.remove();
});

const check = async () => {
  const asked = { source, connection_id: host.connection.id, source_directories: [disk] };
  return (await host.api.post('/api/sources/check', asked)).body.findings;
};

test('fails without root on the host', async () => {
  const repository = await host.create('without', { source_directories: [disk], sources: [source] });
  const text = `Snapshots need root on ${host.sshd.username}@127.0.0.1: connect as root, or turn on sudo for the connection.`;
  expect(await check()).toEqual([{ status: 'failed', text }]);
  expect(await backUp(host.api, repository.path)).toMatchObject({
    status: 'failed',
    error_message: `disk is not protected by this backup: ${text}`,
  });
});

test.each([false, true])('reads snapshots with sudo (trusted: %s)', async (trusted) => {
  host.sshd.allowSudo();
  await host.actions.update({ sudo: true, trusted });
  expect(await check()).toMatchObject([{ status: 'ok' }]);
  const repository = await host.create(`sudo-${trusted}`, {
    source_directories: [disk],
    sources: [source],
  });
  const job = await backUp(host.api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const log = await host.logOf(job);
  expect(log).toContain(`Snapshot of btrfs ${disk}`);
  expect(log).toMatch(trusted ? /borg .* reads the data/ : /tar stream/);
  expect(readdirSync(disk)).toEqual([`it's "$(data)"`]);
  const extracted = host.extracted(repository, job.archive_name ?? '');
  const there = join(extracted, relative(host.tree, folder));
  // The snapshot itself is not in it.
  expect(readdirSync(dirname(there))).toEqual([`it's "$(data)"`]);
  expect(readFileSync(join(there, 'ann.txt'), 'utf8')).toBe('Dear Ann');
  expect(readFileSync(join(there, 'inner', 'bob.txt'), 'utf8')).toBe('Dear Bob');
});

import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remoteId } from '../src/identity/remote-identity.js';
import { makeDriver, stopAndRemove } from './make-driver.js';

let folder: string;
let repository: string;
let id: string;
const path = process.env.PATH;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
  repository = join(folder, 'repository');
  const driver = await makeDriver(join(folder, 'data'));
  const bare = { uid: 'far', passphrase: null, keyFile: null, remoteToolPath: null };
  ({
    value: { id },
  } = await driver.init({ ...bare, location: repository }, { encryption: 'none' }));
}, 60_000);
afterAll(async () => {
  process.env.PATH = path;
  await stopAndRemove(folder);
});

/** What runs instead of ssh, with the command in `$asked`; it notes each call. */
async function host(program: string): Promise<{ calls(): Promise<string[]> }> {
  const bin = await mkdtemp(join(folder, 'bin-'));
  const log = join(bin, 'calls');
  const lines = ['#!/bin/bash', 'for asked; do :; done', `echo "$asked" >> ${log}`, program];
  await writeFile(join(bin, 'ssh'), lines.join('\n'));
  await chmod(join(bin, 'ssh'), 0o755);
  process.env.PATH = `${bin}:${path}`;
  return { calls: async () => (await readFile(log, 'utf8')).trim().split('\n') };
}

const target = (place = repository): RepositoryTarget => ({
  uid: 'far',
  passphrase: null,
  keyFile: null,
  remoteToolPath: null,
  location: `ssh://borg@host.test:22${place}`,
  transport: {
    connectionId: 1,
    keyFile: '/dev/null',
    knownHostsFile: '/dev/null',
    hostKeyAlias: 'host-1',
    fingerprint: 'SHA256:none',
  },
});

test.each(['sh', 'bash'])('reads the id by the shell of the account, %s, without the tool', async (shell) => {
  const withoutTool = { ...target(), remoteToolPath: '/nowhere/borg' };
  const { calls } = await host(`exec ${shell} -c "$asked"`);
  expect(await remoteId(withoutTool)).toBe(id);
  expect(await calls()).toHaveLength(1);
});

test('reads the id from an account limited to borg serve', async () => {
  const forced = `SSH_ORIGINAL_COMMAND="$asked" exec borg serve --restrict-to-path ${folder}`;
  const { calls } = await host(forced);
  expect(await remoteId(target())).toBe(id);
  expect(await calls()).toHaveLength(1);
});

test('reads the id from an account that accepts exactly that command', async () => {
  const { calls } = await host('[ "$asked" = "borg serve" ] || exit 1; exec borg serve');
  expect(await remoteId(target())).toBe(id);
  expect(await calls()).toEqual([expect.stringContaining(' borg serve'), 'borg serve']);
});

test('leaves a path with shell characters to the tool', async () => {
  const odd = join(folder, "it's $(odd)");
  await mkdir(odd);
  const { calls } = await host('exec sh -c "$asked"');
  expect(await remoteId(target(odd))).toBeNull();
  expect(await calls()).toEqual(['borg serve']);
});

test('does not ask an unreachable host twice', async () => {
  const { calls } = await host('exit 255');
  expect(await remoteId(target())).toBeNull();
  expect(await calls()).toHaveLength(1);
});

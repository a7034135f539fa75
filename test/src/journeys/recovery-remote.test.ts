/** The self-backup on another host, and the way back from there. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, holdfast } from '../command.js';
import { backUpItself, passphraseOf, switchOn } from '../self-backup.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { quickSetup } from '../ssh-actions.js';

let server: TestServer;
let sshd: TestSshd;
let secret: string;
let place: string;
let sshKey: string;
/** borg of the host under another name. */
let tool: string;

beforeAll(async () => {
  [server, sshd] = await Promise.all([
    TestServer.start({ env: { DATABASE_URL: undefined } }),
    TestSshd.start(),
  ]);
  const api = await server.login();
  const { id } = await quickSetup(api, sshd);
  tool = join(sshd.ownFolder('tools'), 'borg1');
  writeFileSync(tool, `#!/bin/sh\necho "$1" >> ${sshd.ownFolder('data')}/calls\nexec borg "$@"\n`, {
    mode: 0o755,
  });
  const own = await switchOn(api, { connection_id: id, path: './own', remote_path: tool });
  expect(own).toMatchObject({ connection_id: id, same_disk: false, warnings: [] });
  // The same again is no other place.
  expect(await switchOn(api, { connection_id: id, path: './own' })).toEqual(own);
  place = own.path;
  expect((await backUpItself(api)).status).toBe('completed');
  expect(calls()).toContain('serve');
  secret = await passphraseOf(server);
  await server.stop();
  sshKey = join(server.workspace.path, 'key');
  copyFileSync(join(server.dataDirectory, '.ssh', 'holdfast_ed25519'), sshKey);
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

/** What was asked of borg under its other name, since the last look. */
const calls = () => {
  const file = join(sshd.home, 'data', 'calls');
  const said = readFileSync(file, 'utf8').trim().split('\n');
  writeFileSync(file, '');
  return said;
};
const recover = (...more: string[]): Promise<Ended> => {
  const folder = join(server.workspace.path, 'recovered');
  return holdfast(['recover', '--repository', place, '--data-dir', folder, ...more], {
    env: { HOME: server.workspace.folder('home') },
    input: `${secret}\n`,
  });
};

test('names the missing SSH key or host fingerprint', async () => {
  const answers = [
    await recover(),
    await recover('--ssh-key', sshKey),
    await recover('--ssh-key', sshKey, '--host-key', `SHA256:${'x'.repeat(43)}`),
  ];
  const fingerprint = await sshd.fingerprint();
  const sentences = [
    'Name the private key that opens the host with --ssh-key.\n',
    expect.stringContaining(`presents the host key ${fingerprint}. Compare it with the recovery sheet`),
    expect.stringContaining(`presented the host key ${fingerprint}, not the expected`),
  ];
  for (const [n, { code, err }] of answers.entries()) expect([code, err]).toEqual([1, sentences[n]]);
});

test('recovers everything with key, fingerprint and the remote name of borg', async () => {
  const found = await recover(
    ...['--ssh-key', sshKey, '--host-key', await sshd.fingerprint()],
    ...['--remote-path', tool, '--json'],
  );
  expect(calls()).toContain('serve');
  expect([found.code, found.err]).toEqual([0, '']);
  expect(JSON.parse(found.out)).toMatchObject({ repository: place, users: 1, repositories: 1, schedules: 1 });
});

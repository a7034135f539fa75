import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isRemoteHostError, type RemoteAccount, type RemoteEntry } from '@holdfast/core/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeep } from '../../test/src/lane.js';
import { silentHost } from '../../test/src/services/odd-hosts.js';
import { TestSshd } from '../../test/src/services/sshd.js';
import { keyTool } from '../src/adapters/ssh-key-pair.js';
import { ssh2RemoteHost as host } from '../src/adapters/ssh2-remote-host/index.js';

const publicKeyLine =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBFE/8oOGM8TdYF+yEQiyrTmQYAN4CjsNC2WPiyfg+b1 holdfast';

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isRemoteHostError(error) ? error.kind : error),
  );

describe('a usual host', () => {
  let sshd: TestSshd;
  let account: RemoteAccount;

  beforeAll(async () => {
    sshd = await TestSshd.start();
    const { password, ...address } = sshd.login;
    account = { ...address, authentication: { password }, hostKey: sshd.hostKey() };
  });
  afterAll(() => sshd?.remove());

  test('takes a key of every type', async () => {
    for (const type of ['rsa', 'ed25519', 'ecdsa'] as const) {
      const { publicKey, privateKey } = await keyTool.generate(type, 'test');
      await host.deployKey(account, { publicKeyLine: publicKey, sftp: true });
      await host.test({ ...account, authentication: { privateKey } });
    }
  });

  test.each([true, false])('adds keys at once to an account without any (over SFTP: %s)', async (sftp) => {
    for (let attempt = 1; attempt <= (isDeep ? 15 : 4); attempt += 1) {
      rmSync(dirname(sshd.authorizedKeysFile), { recursive: true, force: true });
      const lines = [0, 1, 2, 3, 4, 5].map((at) => `${publicKeyLine.replace('FE/8', `FE/${at}`)}-${attempt}`);
      await Promise.all(lines.map((line) => host.deployKey(account, { publicKeyLine: line, sftp })));
      expect(sshd.authorizedKeys().toSorted()).toEqual(lines.toSorted());
    }
  });

  test.each([true, false])('removes only its last added line (over SFTP: %s)', async (sftp) => {
    const restrict = { path: "/it's $HOME", appendOnly: true };
    const deployments = [
      { publicKeyLine, sftp },
      { publicKeyLine, sftp, restrict },
    ];
    for (const deployment of deployments) {
      for (const before of [null, '', '# a line without an end', 'ssh-rsa AAAA other\n']) {
        rmSync(sshd.authorizedKeysFile, { force: true });
        if (before !== null) sshd.writeAuthorizedKeys(before);
        expect(await host.deployKey(account, deployment)).toMatchObject({ added: true });
        await host.withdrawKey(account, deployment);
        expect(sshd.authorizedKeys().join('\n')).toBe((before ?? '').trimEnd());
        await host.withdrawKey(account, deployment);
        expect(sshd.authorizedKeys().join('\n')).toBe((before ?? '').trimEnd());
      }
      await host.deployKey(account, deployment);
      const more = `${readFileSync(sshd.authorizedKeysFile, 'utf8')}ssh-rsa BBBB later\n`;
      sshd.writeAuthorizedKeys(more);
      await host.withdrawKey(account, deployment);
      expect(readFileSync(sshd.authorizedKeysFile, 'utf8')).toBe(more);
    }
  });

  test('lists a folder the same over SFTP and the shell for any names', async () => {
    const folder = sshd.ownFolder('odd');
    for (const name of ['-rf', 'a b', "it's", 'new\nline', '.hidden', '..dots', '*', '$(id)', 'ü']) {
      writeFileSync(join(folder, name), name);
    }
    symlinkSync('/nowhere', join(folder, 'dangling'));
    sshd.ownFolder('odd', 'empty');
    const byName = (entries: RemoteEntry[]) => entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const over = byName(await host.list(account, folder, { sftp: true }));
    const by = byName(await host.list(account, folder, { sftp: false }));
    expect(over).toHaveLength(11);
    expect(by).toEqual(over);
    expect(over.find(({ name }) => name === "it's")).toMatchObject({ type: 'file', size: 4 });
    expect(over.find(({ name }) => name === 'dangling')).toMatchObject({ type: 'symlink', size: null });
    for (const sftp of [true, false]) {
      expect(await host.list(account, join(folder, 'empty'), { sftp })).toEqual([]);
      expect(await kindOf(host.list(account, join(folder, '-rf'), { sftp }))).toBe('missing');
      expect(await kindOf(host.list(account, '/root', { sftp }))).toBe('permission');
    }
  });

  test('names with bytes that are not UTF-8 keep them by the shell', async () => {
    const folder = sshd.ownFolder('bytes');
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]), '');
    const [entry] = await host.list(account, folder, { sftp: false });
    expect(entry?.name).toBe('x\udcff');
  });

  test('runs a program with its words, streams and exit', async () => {
    const run = await host.run(account, ['sh', '-c', 'cat; printf %s "$1" >&2; exit 3', 'sh', `a'b "c" $d`]);
    const size = 5 * 1024 * 1024;
    const [stdout, stderr, exit] = await Promise.all([
      text(run.stdout),
      text(run.stderr),
      run.exit,
      run.stdin.end(Buffer.alloc(size, 'x')),
    ]);
    expect([stdout.length, stderr, exit]).toEqual([size, `a'b "c" $d`, { code: 3, signal: null }]);
  });

  test('reports the exit after the output was read to its end', async () => {
    for (let n = 0; n < (isDeep ? 20 : 5); n += 1) {
      const { stdin, stdout, stderr, exit } = await host.run(account, [
        'sh',
        '-c',
        'echo x; exec >&-; exit 7',
      ]);
      stdin.end();
      stderr.resume();
      // Iterating destroys the stream at its end.
      for await (const piece of stdout) expect(String(piece)).toBe('x\n');
      expect(await exit).toEqual({ code: 7, signal: null });
    }
  });

  test('distinguishes a killed session from an ended program', async () => {
    const run = await host.run(account, ['sh', '-c', 'echo part; sleep 600']);
    run.stdout.once('data', () => sshd.killSessions());
    expect(await kindOf(run.exit)).toBe('unreachable');
  });

  test('ends the program and a pending connection on abort', async () => {
    const aborting = new AbortController();
    const run = await host.run(account, ['sh', '-c', 'echo begun; sleep 600'], { signal: aborting.signal });
    run.stdout.once('data', () => aborting.abort());
    expect(await kindOf(run.exit)).toBe('cancelled');
    expect(await kindOf(host.test(account, { signal: aborting.signal }))).toBe('cancelled');
    const silent = await silentHost();
    try {
      const waiting = new AbortController();
      const tried = kindOf(host.test({ ...account, port: silent.port }, { signal: waiting.signal }));
      setImmediate(() => waiting.abort());
      expect(await tried).toBe('cancelled');
    } finally {
      await silent.close();
    }
  });

  test('sends neither user nor password to a host with another key', async () => {
    const before = sshd.log.length;
    const other = { ...account, hostKey: `${sshd.hostKey().slice(0, -4)}AAAA` };
    const attempts = [
      host.test(other),
      host.list(other, '/', { sftp: true }),
      host.run(other, ['true']),
      host.deployKey(other, { publicKeyLine, sftp: false }),
    ];
    for (const kind of await Promise.all(attempts.map(kindOf))) expect(kind).toBe('host_key_changed');
    expect(sshd.log.slice(before)).not.toMatch(/Accepted|Failed|Invalid user/);
  });
});

describe('a host whose disk is full', () => {
  let sshd: TestSshd;
  let account: RemoteAccount;
  const shell = async (script: string) => {
    const { stdout, stderr, exit } = await host.run(account, ['sh', '-c', script]);
    stderr.resume();
    const output = await text(stdout);
    await exit;
    return output;
  };

  beforeAll(async () => {
    sshd = await TestSshd.start({ smallDisk: 1, more: ['StrictModes no'] });
    const { password, ...address } = sshd.login;
    account = { ...address, authentication: { password }, hostKey: null };
    await shell('mkdir small/.ssh && ln -s small/.ssh .ssh && yes | head -c 2000 > .ssh/authorized_keys');
    await shell('dd if=/dev/zero of=small/fill bs=1k');
  });
  afterAll(() => sshd?.remove());

  test.each([true, false])('reports it and keeps the file (over SFTP: %s)', async (sftp) => {
    const before = await shell('cat .ssh/authorized_keys');
    // Half of it has room in the last block of the file.
    const long = `${publicKeyLine} ${'x'.repeat(5000)}`;
    expect(await kindOf(host.deployKey(account, { publicKeyLine: long, sftp }))).toBe('disk_full');
    expect(await shell('cat .ssh/authorized_keys')).toBe(before);
  });
});

test.each([
  ['commands', {}],
  ['borg_serve', { forceCommand: 'borg serve --restrict-to-path /srv' }],
  ['nothing', { forceCommand: 'borg create' }],
  ['nothing', { sftpOnly: true }],
  ['nothing', { forceCommand: 'echo server' }],
] as const)('reports that a key allows %s when the host has %j', async (allows, options) => {
  const sshd = await TestSshd.start(options);
  try {
    const { password, ...address } = sshd.login;
    const account = { ...address, authentication: { password }, hostKey: null };
    expect(await host.test(account)).toMatchObject({ allows });
  } finally {
    await sshd.remove();
  }
});

test('keeps an authorized_keys file of another user', async () => {
  const sshd = await TestSshd.start();
  try {
    const { password, ...address } = sshd.login;
    const account = { ...address, authentication: { password }, hostKey: null };
    sshd.ownFolder('.ssh');
    writeFileSync(sshd.authorizedKeysFile, 'of root', { mode: 0o600 });
    for (const sftp of [true, false]) {
      expect(await kindOf(host.deployKey(account, { publicKeyLine, sftp }))).toBe('permission');
    }
    expect(readFileSync(sshd.authorizedKeysFile, 'utf8')).toBe('of root');
  } finally {
    await sshd.remove();
  }
});

test('says that a host key is old when OpenSSH refuses it', async () => {
  const sshd = await TestSshd.start({ hostKeyTypes: ['rsa'], more: ['HostKeyAlgorithms ssh-rsa'] });
  try {
    const { password, ...address } = sshd.login;
    const account = { ...address, authentication: { password }, hostKey: null };
    await expect(host.test(account)).rejects.toMatchObject({
      kind: 'protocol',
      message: expect.stringMatching(/only has old host keys .*ssh-keygen -A/),
    });
  } finally {
    await sshd.remove();
  }
});

test('takes an RSA host key with newer signatures', async () => {
  const sshd = await TestSshd.start({ hostKeyTypes: ['rsa'] });
  try {
    const { password, ...address } = sshd.login;
    expect(await kindOf(host.test({ ...address, authentication: { password }, hostKey: null }))).toBe('done');
  } finally {
    await sshd.remove();
  }
});

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readyMade, readyMadeNames } from '../src/screens/settings/scripts/ready-made.js';

const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ready-made-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Commands that write down their arguments, one call a line, and what they were given to see. */
async function commands(...names: string[]): Promise<void> {
  for (const name of names) {
    await writeFile(
      join(folder, name),
      `#!/bin/bash\necho "${name} $*" >> "${folder}/calls"\nfor word; do case "$word" in --file=*|--result-file=*) echo "$PGPASSWORD$MYSQL_PWD" > "\${word#*=}";; esac; done\n[ "$2" != broken ]\n`,
    );
    await chmod(join(folder, name), 0o755);
  }
}

async function runScript(name: keyof typeof readyMade, env: Record<string, string>) {
  const done = await run('bash', ['-c', readyMade[name]], {
    env: { PATH: `${folder}:${process.env.PATH}`, ...env },
  }).catch((error: { code: number; stderr: string }) => error);
  const calls = await readFile(join(folder, 'calls'), 'utf8').catch(() => '');
  return { failed: 'code' in done, calls: calls.trim().split('\n').filter(Boolean) };
}

describe('the ready-made scripts', () => {
  it.each(readyMadeNames)('%s passes the syntax check of bash', async (name) => {
    const file = join(folder, 'script');
    await writeFile(file, readyMade[name]);
    await expect(run('bash', ['-n', file])).resolves.toMatchObject({ stderr: '' });
  });

  it('stop each container', async () => {
    await commands('docker');
    expect(await runScript('stopContainers', { CONTAINERS: 'web db' })).toEqual({
      failed: false,
      calls: ['docker stop --time 30 web', 'docker stop --time 30 db'],
    });
  });

  it('start the other containers although one fails', async () => {
    await commands('docker');
    expect(await runScript('startContainers', { CONTAINERS: 'broken db' })).toEqual({
      failed: true,
      calls: ['docker start broken', 'docker start db'],
    });
  });

  it.each([
    ['pgDump', 'pg_dump', { PG_DATABASE: 'shop', PG_PASSWORD: 'secret' }, 'shop.dump'],
    ['mysqlDump', 'mysqldump', { MYSQL_DATABASE: 'shop', MYSQL_PASSWORD: 'secret' }, 'shop.sql'],
  ] as const)('%s hands over the password, but not as an argument', async (name, command, env, file) => {
    await commands(command);
    const { failed, calls } = await runScript(name, { ...env, DUMP_FOLDER: join(folder, 'dumps') });
    expect(failed).toBe(false);
    expect(calls.join()).not.toContain('secret');
    expect(await readFile(join(folder, 'dumps', file), 'utf8')).toBe('secret\n');
  });

  it('call another address after a failure', async () => {
    await commands('curl');
    const env = { PING_URL: 'https://hc.example.org/x' };
    await runScript('ping', { ...env, BK_UI_BACKUP_STATUS: 'success' });
    const { calls } = await runScript('ping', { ...env, BK_UI_BACKUP_STATUS: 'failure' });
    expect(calls.map((call) => call.split(' ').at(-1))).toEqual([
      'https://hc.example.org/x',
      'https://hc.example.org/x/fail',
    ]);
  });
});

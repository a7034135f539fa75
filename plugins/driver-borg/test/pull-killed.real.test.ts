import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram } from '../src/launch.js';
import { isAlive } from '../src/process-identity.js';
import { stopAndRemove } from './make-driver.js';
import { memberBytes } from './tar-streams.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
});
afterEach(() => stopAndRemove(folder));

/** More than the driver gathers before it passes it on. */
const file = memberBytes({ name: 'data/one', content: 'x'.repeat(65_536) });
const probed = ['holdfast-source-2', 'present', 'tar GNU tar 1.34', 'tool ', 'relay no', 'end', ''];

/** A tool that reads all of its input and then says what it takes for whole. */
async function readingTool(): Promise<string> {
  const path = join(folder, 'reading-tool');
  const lines = [
    '#!/bin/sh',
    '[ "$1" = --version ] && echo borg 1.2.4 && exit',
    `head -c ${file.length} >/dev/null; echo read >&2`,
    `cat >/dev/null && : >${join(folder, 'whole')}`,
  ];
  await writeFile(path, lines.join('\n'));
  await chmod(path, 0o755);
  return path;
}

/** Programs of the service that dies: without `setpriv`, nothing else ends the tool with it. */
async function programs(names: string[]): Promise<string> {
  const path = join(folder, 'bin');
  await mkdir(path);
  for (const name of names) await symlink((await findProgram(name)) as string, join(path, name));
  return path;
}

test('ends the tool before it accepts partial data of a killed service', async () => {
  const env = { ...process.env, PATH: await programs(['sh', 'head', 'cat']) };
  const words = [folder, await readingTool(), file.toString('base64'), probed.join('\n')];
  const service = fork(join(import.meta.dirname, 'dying-pull.mjs'), words, { execArgv: [], env });
  const [tool] = (await once(service, 'message')) as [ToolProcess];
  service.kill('SIGKILL');
  await expect.poll(() => isAlive(tool), { timeout: 60_000 }).toBe(false);
  expect(await readdir(folder)).not.toContain('whole');
});

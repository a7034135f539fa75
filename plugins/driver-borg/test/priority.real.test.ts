import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDriver, stopAndRemove } from './make-driver.js';

// Without the `nice` of the tests, which keeps the usual priority.
const programs = (process.env.PATH ?? '').split(delimiter);
process.env.PATH = programs.filter((each) => !each.includes('.cache/lean')).join(delimiter);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'driver-borg-'));
});
afterAll(() => stopAndRemove(folder));

test('gives the tool a low priority as a process and as a session', async () => {
  const binary = join(folder, 'borg');
  const script = [
    '#!/bin/sh',
    '[ "$1" = --version ] && exec borg --version',
    // The session's niceness is written beside the start.
    'for _ in $(seq 100); do grep -q "nice 15" /proc/self/autogroup && break; sleep 0.05; done',
    'echo "process $(nice), session $(cat /proc/self/autogroup || echo nice 15)" >&2',
    'exit 2',
  ];
  await writeFile(binary, script.join('\n'), { mode: 0o755 });
  const location = join(folder, 'repository');
  const target = { uid: 'one', location, passphrase: null, keyFile: null, remoteToolPath: null };
  const driver = await makeDriver(join(folder, 'data'), binary);
  const lines: string[] = [];
  const onLog = ({ text }: { text: string }) => lines.push(text);
  await expect(driver.open(target, {}, { onLog })).rejects.toMatchObject({ kind: 'failed' });
  expect(lines.join()).toMatch(/process 15, session .* nice 15$/);
});

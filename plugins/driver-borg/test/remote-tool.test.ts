import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ToolLog } from '../src/parse/tool-log.js';
import { endedAtOnce, missingTool } from '../src/remote-tool.js';

const transport = {
  connectionId: 7,
  keyFile: '/keys/id',
  knownHostsFile: '/hosts/7',
  hostKeyAlias: 'holdfast-7',
  fingerprint: 'SHA256:x',
};
const target = {
  uid: 'u',
  passphrase: null,
  keyFile: null,
  transport,
  location: 'ssh://backup@[::1]:2222/r',
  remoteToolPath: "/opt/it's borg",
};

let folder: string;
const path = process.env.PATH;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-remote-tool-'));
  process.env.PATH = `${folder}:${path}`;
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

/** In place of ssh: writes its words to a file, and ends as a far shell would. */
function sshEndsWith(code: number): () => string[] {
  const file = join(folder, 'words');
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${file}'\necho nonsense\nexit ${code}\n`;
  writeFileSync(join(folder, 'ssh'), script);
  chmodSync(join(folder, 'ssh'), 0o755);
  return () => readFileSync(file, 'utf8').trimEnd().split('\n');
}

describe('whether the tool is on the host', () => {
  test.each([126, 127])('is missing if the shell ends with %i', async (code) => {
    const args = sshEndsWith(code);
    const error = await missingTool(target);
    expect(error).toMatchObject({ kind: 'tool_missing', message: expect.stringMatching(/remote_path/) });
    expect(args().slice(-4)).toEqual(['-p', '2222', 'backup@::1', `'/opt/it'"'"'s borg' --version`]);
    expect(args()).toEqual(expect.arrayContaining(['StrictHostKeyChecking=yes', 'BatchMode=yes']));
  });

  test.each([0, 1, 255])('is unknown if the shell ends with %i', async (code) => {
    sshEndsWith(code);
    expect(await missingTool(target)).toBeNull();
  });

  test('is asked of hosts only', async () => {
    expect(await missingTool({ ...target, location: '/srv/r' })).toBeNull();
  });
});

test('is asked when the far side ended before it spoke', () => {
  const said = (message: string) => {
    const log = new ToolLog({});
    log.push(`${JSON.stringify({ type: 'log_message', levelname: 'ERROR', message })}\n`);
    return endedAtOnce({ log });
  };
  expect(said('Connection closed by remote host. Is borg working on the server?')).toBe(true);
  expect(said('Connection closed by remote host')).toBe(false);
});

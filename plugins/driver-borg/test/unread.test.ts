import { expect, test } from 'vitest';
import { ToolLog } from '../src/parse/tool-log.js';
import { TarMessages } from '../src/pull/tar-messages.js';

const nothing = { denied: [], failed: [], more: 0 };

function tool(...lines: string[]) {
  const log = new ToolLog({});
  for (const message of lines)
    log.push(`${JSON.stringify({ type: 'log_message', levelname: 'WARNING', name: 'borg', message })}\n`);
  return { warnings: log.warnings.map(({ text }) => text), ...log.unread.found };
}

async function tar(...lines: string[]) {
  const messages = new TarMessages(undefined);
  async function* stream() {
    for (const line of lines) yield Buffer.from(`${line}\n`);
  }
  await messages.read(stream());
  messages.code = 1;
  return { warnings: messages.all(), ...messages.unread.found };
}

test('distinguishes unreadable files from failures', () => {
  const { unread, warnings } = tool(
    "/s/a: open: [Errno 13] Permission denied: 'a'",
    "/s/b: b: scandir: [Errno 1] Operation not permitted: 'b: b'",
    "/s/net: stat: [Errno 107] Transport endpoint is not connected: 'net'",
    '/s/c: read: [Errno 5] Input/output error',
    "/s/gone: stat: [Errno 2] No such file or directory: 'gone'",
  );
  expect(unread).toEqual({ denied: ['/s/a', '/s/b: b'], failed: ['/s/net', '/s/c'], more: 0 });
  expect(warnings).toHaveLength(5);
});

test('counts only files that changed during the read', async () => {
  expect(tool('/s/a: file changed while we backed it up')).toEqual({
    warnings: [],
    unread: nothing,
    changedFiles: 1,
  });
  expect(
    await tar('tar: s/a: file changed as we read it', 'tar: s/b: File shrank by 5 bytes; padding with zeros'),
  ).toEqual({
    warnings: [],
    unread: nothing,
    changedFiles: 2,
  });
});

test('bounds the paths', () => {
  const { unread } = tool(
    ...Array.from({ length: 130 }, (_, n) => `/s/${n}: open: [Errno 13] Permission denied: '${n}'`),
  );
  expect([unread.denied.length, unread.more]).toEqual([100, 30]);
});

test.each(['tar', '/usr/bin/tar', 'sudo: /usr/bin/tar', '/opt/my tools/tar 1.35', 'packer', 'my packer'])(
  'names the files when the tar of a host calls itself %s',
  async (program) => {
    const { warnings, unread } = await tar(
      `${program}: s/secret: Cannot open: Permission denied`,
      `${program}: s/bad disk: Read error at byte 0, while reading 512 bytes: Input/output error`,
    );
    expect(warnings[0]).toBe('/s/secret: Cannot open: Permission denied.');
    expect(unread).toEqual({ denied: ['/s/secret'], failed: ['/s/bad disk'], more: 0 });
  },
);

test('omits messages that are not about a file', async () => {
  const { warnings } = await tar(
    'Warning: Permanently added host',
    'sudo: unable to resolve host x: Name unknown',
  );
  expect(warnings[0]).toMatch(/ended with code 1/);
});

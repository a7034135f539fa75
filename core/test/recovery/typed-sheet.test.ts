import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Arbitrary,
  assert,
  constantFrom,
  oneof,
  property,
  record,
  string,
  stringMatching,
} from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  borgCommands,
  openFolder,
  recoverCommands,
  sshKeyCommands,
} from '../../src/migration/recovery/sheet/commands.rules.js';
import type { SheetRepository } from '../../src/migration/recovery/sheet/sheet.rules.js';

let home: string;
let bin: string;
let canary: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'hf-typed-'));
  bin = join(home, 'bin');
  canary = join(home, 'canary');
  execFileSync('mkdir', [bin]);
  // They say what they got, as words between bars.
  const said = (name: string, variables: string[]) => {
    const values = variables.map((each) => `"$${each}"`).join(' ');
    const script = `#!/bin/sh\n[ "$1" = list ] && [ $# -gt 1 ] && { echo ARCHIVE; exit; }\nprintf '%s|' ${name} "$@" ${values} >> "$HOME/said"\n`;
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  };
  said('borg', ['BORG_REPO', 'BORG_PASSPHRASE', 'BORG_REMOTE_PATH', 'BORG_RSH']);
  writeFileSync(join(bin, 'holdfast'), `#!/bin/sh\n{ cat; printf '%s|' "$@"; } > "$HOME/recovered"\n`, {
    mode: 0o755,
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const base: SheetRepository = {
  id: 3,
  uid: 'u',
  name: 'home',
  place: '/backups/home',
  encryption: 'repokey',
  passphrase: 'secret',
  key: null,
  problem: null,
  openError: null,
  host: null,
  remotePath: null,
  isSelfBackup: true,
  pinned: [],
};

/** What a shell does with the commands that a person copies. */
function typed(shell: string, lines: readonly string[]): void {
  const folder = join(home, 'restored');
  for (const each of [folder, join(home, 'said'), join(home, 'recovered')])
    rmSync(each, { recursive: true, force: true });
  const script = join(home, 'typed');
  writeFileSync(script, `set -e\n${[...openFolder, ...lines].join('\n')}\n`);
  execFileSync(shell, [script], {
    env: { HOME: home, PATH: `${bin}:/usr/bin:/bin` },
    input: '',
    stdio: 'pipe',
    cwd: home,
  });
}
const said = (file = 'said') => readFileSync(join(home, file), 'utf8');
const inFolder = (name: string) => readFileSync(join(home, 'restored', name), 'utf8');

const shells = ['dash', 'bash'] as const;
/** Texts that mean something to a shell, to printf, or to nobody who reads them. */
const piece = oneof(
  constantFrom(
    '-',
    '--',
    '-G',
    '%',
    '%s',
    '\\',
    '\\c',
    '$(touch "$HOME/canary")',
    '`touch "$HOME/canary"`',
    "'",
    '"',
    '!',
    '!!',
  ),
  constantFrom(
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '\nEND\ntouch "$HOME/canary"\n',
    '\nEND\n',
    '#',
    '{',
    '}',
    '~',
    '*',
  ),
  constantFrom('ü', '日本', '\u{1f600}', '\u00a0', '\u202e', '0', '7', '12'),
  string({ unit: 'grapheme', maxLength: 12 }),
  stringMatching(/^[a-z]{60,130}$/),
);
const text: Arbitrary<string> = string({ unit: piece, maxLength: 8 }).map((each) =>
  Buffer.from(each.replaceAll('\0', '')).toString(),
);
const hostile = record({
  place: text,
  passphrase: text,
  remotePath: text,
  key: text,
  hostKey: text,
  host: text,
  sshKey: text,
});

const braces = (value: string) => value.replace(/[{}]/g, '$&$&');

it.each(shells)(
  'types each value exactly into %s',
  (shell) => {
    assert(
      property(hostile, ({ place, passphrase, remotePath, key, hostKey, host, sshKey }) => {
        const there = { name: host, port: 2222, user: 'u', hostKey, fingerprint: 'SHA256:x', jumps: [] };
        const repository = { ...base, place, passphrase, remotePath, key, host: there };
        const facts = { sshKey: { type: 't', fingerprint: 'f', text: sshKey, problem: null } };
        typed(shell, [
          ...sshKeyCommands(sshKey),
          ...borgCommands(repository, facts),
          ...recoverCommands(repository, facts),
        ]);
        const [word, verb, repo, phrase] = said().split('|');
        expect([word, verb]).toEqual(['borg', 'list']);
        if (!`${place}${passphrase}`.includes('|'))
          expect([repo, phrase]).toEqual([braces(place), passphrase]);
        expect(said('recovered').startsWith(`${passphrase}\nrecover|--repository|${place}|`)).toBe(true);
        expect(said('recovered')).toContain(`|--remote-path|${remotePath}|`);
        expect(inFolder('key-3').trimEnd()).toBe(key.trimEnd());
        expect(inFolder('ssh-key').trimEnd()).toBe(sshKey.trimEnd());
        expect(inFolder('known-hosts-3')).toBe(`[${host}]:2222 ${hostKey}\n`);
        expect(existsSync(canary)).toBe(false);
      }),
      { numRuns: 40, seed: 7, ...(process.env.TEST_RING === '3' && { numRuns: 2_000 }) },
    );
  },
  120_000,
);

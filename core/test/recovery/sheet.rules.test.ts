import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { borgCommands, recoverCommands } from '../../src/migration/recovery/sheet/commands.rules.js';
import type { SheetFacts, SheetRepository } from '../../src/migration/recovery/sheet/sheet.rules.js';
import { sheetDocument, sheetText } from '../../src/migration/recovery/sheet/sheet-document.rules.js';
import { sheetWidth, shellLines } from '../../src/migration/recovery/sheet/shell-word.rules.js';
import { visible } from '../../src/migration/recovery/sheet/visible.rules.js';

const host = {
  name: 'nas',
  port: 22,
  user: 'backup',
  hostKey: 'ssh-ed25519 AAAA',
  fingerprint: 'SHA256:x',
  jumps: [],
};
const repository: SheetRepository = {
  id: 3,
  uid: 'u',
  name: 'home',
  place: '/backups/home',
  encryption: 'repokey',
  passphrase: 'secret',
  key: 'BORG_KEY 1\nabc\n',
  problem: null,
  openError: null,
  host: null,
  remotePath: null,
  isSelfBackup: false,
  pinned: [],
};
const facts = (more: Partial<SheetFacts> = {}): SheetFacts => ({
  madeAt: Date.UTC(2026, 2, 1, 12),
  version: '1.0.0',
  installation: 'abc',
  withSecrets: true,
  sshKey: null,
  repositories: [repository],
  ...more,
});

describe('a word for a shell', () => {
  it.each([
    'plain',
    `it's "all" $HOME \`id\` \\n %s !`,
    '  blanks  at  each end ',
    'ü 日本 \u{1f600} e\u0301',
    `${'long '.repeat(80)}'${'"'.repeat(120)}`,
    '\t\u00a0\u200b',
    '',
  ])('passes %j exactly to the shell, on short lines with typeable characters', (text) => {
    const lines = shellLines('export WORD=', text);
    for (const line of lines) {
      expect(line).toMatch(/^[\x20-\x7e]*$/);
      expect(line.length).toBeLessThanOrEqual(sheetWidth);
      expect(line).not.toMatch(/ {2}| $/);
    }
    const said = execFileSync('sh', ['-c', `${lines.join('\n')}\nprintf '%s|' "$WORD"`], {
      encoding: 'utf8',
    });
    expect(said).toBe(`${text}|`);
  });
});

describe('a text as it can be read', () => {
  it.each([
    ['/srv/ü ß €', '/srv/ü ß €', '/srv/ü ß €'],
    ['日本', '\\u{65e5}\\u{672c}', '日本'],
    ['a  b', 'a\\u{20}\\u{20}b', 'a\\u{20}\\u{20}b'],
    ['end ', 'end\\u{20}', 'end\\u{20}'],
    ['\u202egpj', '\\u{202e}gpj', '\\u{202e}gpj'],
    ['e\u0301\\', 'e\\u{301}\\\\', 'e\\u{301}\\\\'],
    ['C:\\dir', 'C:\\dir', 'C:\\dir'],
  ])('%j', (text, paper, screen) => {
    expect([visible(text, 'paper'), visible(text, 'screen')]).toEqual([paper, screen]);
  });
});

describe('the commands', () => {
  it('list, try and extract with the passphrase', () => {
    const lines = borgCommands(repository, facts());
    expect(lines).toContain("export BORG_REPO='/backups/home'");
    expect(lines).toContain("export BORG_PASSPHRASE='secret'");
    expect(lines.filter((line) => line.startsWith('borg '))).toEqual([
      'borg list',
      'borg extract --dry-run --list "::$ARCHIVE"',
    ]);
    expect(lines.at(-1)).toContain('borg extract "::$ARCHIVE"');
    expect(lines.join('\n')).toContain(
      '# Only if Borg finds no key in the repository: borg key import :: key-3',
    );
  });

  it('take the key from a file if the repository has none', () => {
    const lines = borgCommands({ ...repository, encryption: 'keyfile' }, facts());
    expect(lines).toContain('export BORG_KEY_FILE="$PWD/key-3"');
  });

  it('pin the host key and sign in with the SSH key of the sheet', () => {
    const there = { ...repository, place: 'ssh://backup@nas:22/r', host, remotePath: 'borg1' };
    const sshKey = { type: 'ed25519', fingerprint: 'SHA256:k', text: 'PRIVATE', problem: null };
    const lines = borgCommands(there, { sshKey });
    expect(lines).toContain(`export BORG_RSH="ssh -i '$PWD/ssh-key' -o IdentitiesOnly=yes"`);
    expect(lines).toContain(`printf '%s\\n' 'nas ssh-ed25519 AAAA' > known-hosts-3`);
    expect(lines).toContain("export BORG_REMOTE_PATH='borg1'");
    expect(borgCommands({ ...there, host: { ...host, hostKey: null } }, { sshKey: null })).toContain(
      'export BORG_RSH="ssh"',
    );
  });

  it('mean single braces', () => {
    const lines = borgCommands({ ...repository, place: '/{now}' }, facts());
    expect(lines).toContain("export BORG_REPO='/{{now}}'");
    expect(recoverCommands({ ...repository, place: '/{now}' }, facts()).at(-1)).toBe(
      "holdfast recover --repository '/{now}'",
    );
  });

  it('recover the service from a host that is known by its key', () => {
    const there = { ...repository, host: { ...host, fingerprint: 'SHA256:h' }, remotePath: 'borg 1' };
    const sshKey = { type: 'ed25519', fingerprint: 'SHA256:k', text: 'PRIVATE', problem: null };
    expect(recoverCommands(there, { sshKey }).slice(-2)).toEqual([
      expect.stringMatching(/^holdfast recover --repository '.*' \\$/),
      "  --ssh-key ssh-key --host-key SHA256:h --remote-path 'borg 1'",
    ]);
  });
});

describe('the sheet', () => {
  const text = (more: Partial<SheetFacts>) => sheetText(sheetDocument(facts(more), 'screen'));

  it('shows its time, version and installation', () => {
    expect(text({})).toContain('Made on 2026-03-01 12:00 UTC by Holdfast 1.0.0, installation abc.');
    expect(text({ repositories: [] })).toContain('There is no repository yet.');
  });

  it('names masked, empty and missing values', () => {
    const masked = { ...repository, passphrase: null, key: null };
    expect(text({ withSecrets: false, repositories: [masked] })).toMatch(/Passphrase: {2}\(masked\)/);
    expect(text({ repositories: [{ ...repository, passphrase: '' }] })).toContain('(empty)');
    const away = { ...repository, key: null, problem: 'The key: the host is away.', openError: 'No mount.' };
    const said = text({ repositories: [away] });
    expect(said).toContain('Not on this sheet: The key: the host is away.');
    expect(said).toContain('When Holdfast last tried, it could not open it: No mount.');
  });

  it('begins with the backup of Holdfast itself and ends with its recovery', () => {
    const own = { ...repository, id: 9, name: 'own', isSelfBackup: true };
    const said = text({ repositories: [repository, own] });
    expect(said.indexOf('Backup of Holdfast itself: own')).toBeLessThan(said.indexOf('Repository 3: home'));
    expect(said).toContain("printf '%s\\n' 'secret' |\nholdfast recover --repository '/backups/home'");
  });
});

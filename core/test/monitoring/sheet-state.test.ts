import { describe, expect, it } from 'vitest';
import { type KnownSheet, marksOf, sheetProblem } from '../../src/insight/monitoring/sheet-state.js';

const connection = {
  id: 1,
  host: 'nas',
  port: 22,
  username: 'backup',
  host_key: 'ssh-ed25519 A' as string | null,
  jump_connection_id: null as number | null,
};
const gate = { ...connection, id: 2, host: 'gate' };
const row = {
  uid: 'u1',
  name: 'home',
  path: '/backups/home',
  remote_path: null,
  tool_id: 'id',
  encryption: 'repokey' as const,
  connection_id: 1,
  credentials_at: null as number | null,
};
const present = {
  repositories: [row],
  connections: [connection],
  sshKey: 'SHA256:1',
};
const known: KnownSheet = {
  at: Date.UTC(2026, 2, 1),
  by: 'admin',
  sshKey: 'SHA256:1',
  repositories: marksOf(present),
};
const code = (more: object, sheet: KnownSheet | null = known) =>
  sheetProblem(sheet, { ...present, ...more })?.code ?? null;

describe('a recovery sheet', () => {
  it('is required as soon as a repository exists', () => {
    expect(code({ repositories: [] }, null)).toBeNull();
    expect(code({}, null)).toBe('sheet_never_made');
    expect(code({})).toBeNull();
  });

  it.each([
    ['a new passphrase or key', { repositories: [{ ...row, credentials_at: 5 }] }, 'sheet_secret_changed'],
    ['another place', { repositories: [{ ...row, path: '/elsewhere' }] }, 'sheet_place_changed'],
    ['another tool on the host', { repositories: [{ ...row, remote_path: 'borg1' }] }, 'sheet_place_changed'],
    [
      'another host key',
      { connections: [{ ...connection, host_key: 'ssh-ed25519 B' }] },
      'sheet_place_changed',
    ],
    [
      'another way to the host',
      { connections: [{ ...connection, jump_connection_id: 2 }, gate] },
      'sheet_place_changed',
    ],
    ['one more', { repositories: [row, { ...row, uid: 'u2', name: 'b' }] }, 'sheet_lacks_repository'],
    ['another SSH key', { sshKey: 'SHA256:2' }, 'sheet_ssh_key_changed'],
  ])('is out of date by %s', (_what, more, expected) => {
    expect(code(more)).toBe(expected);
  });

  it('stays current when a name, a removed repository or an unused key changes', () => {
    expect(code({ repositories: [{ ...row, name: 'renamed' }] })).toBeNull();
    expect(code({ repositories: [] })).toBeNull();
    const here = { ...row, connection_id: null };
    const made = { ...known, repositories: marksOf({ ...present, repositories: [here] }) };
    expect(code({ repositories: [here], sshKey: null }, made)).toBeNull();
  });

  it('says when it was made', () => {
    expect(sheetProblem(known, { ...present, sshKey: null })?.text).toBe(
      'The recovery sheet of 2026-03-01 is out of date: the SSH key has changed.',
    );
  });
});

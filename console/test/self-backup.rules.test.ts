import { expect, it } from 'vitest';
import {
  isPlace,
  type SelfBackupView,
  stateOf,
  switchedOn,
} from '../src/screens/settings/recovery/self-backup.rules.js';

const now = Date.parse('2026-11-12T12:00:00Z');
const view = (more: Partial<SelfBackupView> = {}): SelfBackupView => ({
  success: true,
  enabled: true,
  repository_id: 3,
  schedule_id: 1,
  path: '/mnt/copies',
  connection_id: null,
  suggested_path: null,
  same_disk: false,
  warnings: [],
  cron_expression: '15 1 * * *',
  timezone: 'UTC',
  last_error: null,
  last_error_code: null,
  last_error_params: {},
  last_backup_at: '2026-11-12T01:15:00.000Z',
  next_run: '2026-11-13T01:15:00.000Z',
  ...more,
});

it.each([
  ['well', {}],
  ['off', { enabled: false, last_error: 'The disk is full.' }],
  ['failing', { last_error: 'The disk is full.' }],
  ['waiting', { last_backup_at: null }],
  ['well', { last_backup_at: '2026-11-10T10:01:00.000Z' }],
  ['old', { last_backup_at: '2026-11-10T09:59:00.000Z' }],
] as const)('says first that it is %s', (state, more) => {
  expect(stateOf(view(more), now)).toBe(state);
});

it('accepts the default location on this server and requires one on a host', () => {
  expect(isPlace({ connection: null, place: '' })).toBe(true);
  expect(isPlace({ connection: null, place: 'copies' })).toBe(false);
  expect(isPlace({ connection: 2, place: '' })).toBe(false);
  expect(isPlace({ connection: 2, place: './copies' })).toBe(true);
});

it('sends a location only before a repository exists', () => {
  const none = view({ repository_id: null, enabled: false });
  expect(switchedOn(none, { connection: null, place: '' })).toEqual({ enabled: true, connection_id: null });
  const there = { connection: 2, place: './copies' };
  expect(switchedOn(none, there)).toEqual({ enabled: true, path: './copies', connection_id: 2 });
  expect(switchedOn(view({ enabled: false }), there)).toEqual({ enabled: true });
});

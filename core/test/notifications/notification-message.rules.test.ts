import { describe, expect, test } from 'vitest';
import {
  type NotificationKind,
  notificationKinds,
} from '../../src/insight/notifications/notification-kind.rules.js';
import { messageFor, type Outgoing } from '../../src/insight/notifications/notification-message.rules.js';

const at = Date.UTC(2026, 2, 1, 2, 0, 5);
const data = {
  repository_name: 'home',
  repository_path: 'ssh://me@box/backups/home',
  job_id: 12,
  job_name: 'nightly',
  archive_name: 'home-1',
  source_directories: ['/home', '/etc'],
  target_path: '/restored',
  stats: { original_size: 2048, compressed_size: 0, deduplicated_size: 0 },
  duration_seconds: 185,
  check_type: 'scheduled',
};
const lateness = { object_kind: 'repository', object_name: 'home', opened_at: '2026-02-28T09:00:00.000Z' };
const report = {
  from: 0,
  until: at,
  repositories: { protected: 5, late: 1, unknown: 0, damaged: 1 },
  runs: { planned: 37, ran: 36, failed: 1 },
  growth: { archives: 36, bytes: 2048 },
  oldest_check: { repository: 'photos', at: '2026-01-31T02:00:00.000Z' },
  oldest_restore: { repository: 'nas', at: null },
  next_steps: Array.from({ length: 12 }, (_, n) => `Step ${n}.`),
  open_incidents: 14,
};
const extra: Partial<Record<NotificationKind, object>> = {
  backup_warning: { warning_message: 'A file <a> changed.' },
  backup_failure: { error_message: 'The disk is full.' },
  restore_failure: { error_message: 'No rights.' },
  check_failure: { error_message: 'x'.repeat(300) },
  backup_late: { ...lateness, error_message: 'The newest archive of home is too old.', reminder: true },
  backup_on_time_again: { ...lateness, recovery: 'There is an archive from today.' },
  damaged: { error_message: 'Check job 7 found damage in home.' },
  damage_over: { recovery: 'A later check found no damage.' },
  retention_paused: { reason: 'A source is missing.' },
  incident: {
    repository_name: null,
    repository_path: null,
    job_name: undefined,
    object_kind: 'connection',
    object_name: 'me@box:22',
    error_message: 'box shows another host key.',
  },
  report_weekly: { report },
  schedule_failure: { job_name: undefined, schedule_name: 'nightly', error_message: 'It is gone.' },
};
const to = { scheme: 'json', title_prefix: null, include_job_name_in_title: false };

const outgoing = (kind: NotificationKind, more: Partial<Outgoing> = {}): Outgoing => ({
  messageId: 'm',
  count: 1,
  firstAt: at,
  recovered: null,
  event: { kind, at, data: { ...data, ...extra[kind] } },
  ...more,
});
const failureAdvice = 'Read the log of job 12 of this repository, fix the cause, and start the backup again.';

describe('the message for', () => {
  test.each([
    [
      'backup_start',
      ['info', '🚀 Backup started'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\n' +
        'Sources:\n• /home\n• /etc\n\nStarted at 2026-03-01 02:00:05 UTC',
    ],
    [
      'backup_success',
      ['success', '✅ Backup successful'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\n' +
        'Original size: 2.00 KB\nDeduplicated: 0.00 B\nDuration: 3m 5s\n\nCompleted at 2026-03-01 02:00:05 UTC',
    ],
    [
      'backup_warning',
      ['warning', '⚠️ Backup completed with warnings'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\n' +
        'Original size: 2.00 KB\nDeduplicated: 0.00 B\nDuration: 3m 5s\n\nWarning: A file <a> changed.\n\n' +
        'What to do next: Check the files that the warning names; the archive contains all others.\n\n' +
        'Completed at 2026-03-01 02:00:05 UTC',
    ],
    [
      'backup_failure',
      ['failure', '❌ Backup failed'],
      'Repository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\nJob ID: 12\n\n' +
        `Error: The disk is full.\n\nWhat to do next: ${failureAdvice}\n\nFailed at 2026-03-01 02:00:05 UTC`,
    ],
    [
      'restore_success',
      ['success', '✅ Restore successful'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nDestination: /restored\n' +
        'Duration: 3m 5s\n\nCompleted at 2026-03-01 02:00:05 UTC',
    ],
    [
      'restore_failure',
      ['failure', '❌ Restore failed'],
      /Archive: home-1\n[\s\S]*Error: No rights\.[\s\S]*Failed at/,
    ],
    [
      'check_success',
      ['success', '✅ Repository check completed'],
      'Repository: home\nPath: ssh://box/backups/home\nType: Scheduled\nDuration: 3m 5s\n\n' +
        'Completed at 2026-03-01 02:00:05 UTC',
    ],
    ['check_failure', ['failure', '❌ Repository check failed'], /Error: x{199}…\n[\s\S]*Completed at/],
    [
      'schedule_failure',
      ['failure', '❌ Scheduled backup failed'],
      /^Schedule: nightly\nRepository: home\nLocation: [\s\S]*Error: It is gone\.\n[\s\S]*Failed at/,
    ],
    [
      'backup_late',
      ['failure', '⏰ Backup late'],
      /^Repository: home\nLocation: .*\n[\s\S]*Since: 2026-02-28 09:00:00 UTC \(reminder.*\n[\s\S]*Error: The newest archive of home is too old\.[\s\S]*Noticed at/,
    ],
    [
      'backup_on_time_again',
      ['success', '✅ Backup on time again'],
      /^Repository: home\n[\s\S]*Reason: There is an archive from today\.\n\nNoticed at/,
    ],
    [
      'damaged',
      ['failure', '❌ Damage found'],
      /Error: Check job 7 [\s\S]*Do not delete or prune archives now/,
    ],
    ['damage_over', ['success', '✅ Repository no longer damaged'], /Reason: A later check/],
    ['retention_paused', ['warning', '⚠️ Pruning paused'], /Warning: A source is missing\./],
    ['retention_resumed', ['success', '✅ Pruning resumed'], /^Repository: home\n/],
    [
      'incident',
      ['warning', '⚠️ Needs attention'],
      /^About: me@box:22\n\nWarning: box shows another host key\.\n\nNoticed at/,
    ],
    ['incident_over', ['success', '✅ Resolved'], /^Repository: home\n/],
    [
      'report_weekly',
      ['info', '📋 Weekly report'],
      'Repositories: 5 protected, 1 late, 0 unknown, 1 damaged\nScheduled runs: 36 of 37 ran, 1 failed\n' +
        'Growth: 2 kB in 36 archives\nOldest full check: photos: 2026-01-31\n' +
        'Oldest complete restore: nas: never\nNext steps:\n' +
        `${Array.from({ length: 10 }, (_, n) => `• Step ${n}.\n`).join('')}` +
        '• and 4 more in Holdfast\n\nWritten at 2026-03-01 02:00:05 UTC',
    ],
  ] as const)('%s', (kind, [type, title], body) => {
    const message = messageFor(outgoing(kind), to);
    expect(message).toMatchObject({ id: 'm', title, type, event: kind, format: 'text' });
    expect(message.timestamp).toBe('2026-03-01T02:00:05.000Z');
    if (typeof body === 'string') expect(message.body).toBe(body);
    else expect(message.body).toMatch(body);
  });

  test('covers every kind above', () => expect(notificationKinds).toHaveLength(18));
});

test.each([
  [{ title_prefix: '[PROD]', include_job_name_in_title: true }, '[PROD] nightly: ❌ Backup failed'],
  [{ title_prefix: '[PROD]' }, '[PROD] ❌ Backup failed'],
  [{ include_job_name_in_title: true }, 'nightly: ❌ Backup failed'],
  [{ title_prefix: 'a\r\nBcc: x' }, 'a Bcc: x ❌ Backup failed'],
])('builds the title with %o', (how, title) => {
  expect(messageFor(outgoing('backup_failure'), { ...to, ...how }).title).toBe(title);
});

test('omits the job name for a manual backup', () => {
  const event = { kind: 'backup_success' as const, at, data: { ...data, job_name: null } };
  const how = { ...to, include_job_name_in_title: true };
  expect(messageFor(outgoing('backup_success', { event }), how).title).toBe('✅ Backup successful');
});

test('gives other advice for a cancelled backup', () => {
  const event = { kind: 'backup_failure' as const, at, data: { ...data, status: 'cancelled' } };
  expect(messageFor(outgoing('backup_failure', { event }), to).body).toContain('when convenient');
});

test.each(['mailto', 'mailtos'])('escapes texts in the HTML for %s', (scheme) => {
  const event = {
    kind: 'backup_warning' as const,
    at,
    data: { ...data, repository_name: '"><script>', warning_message: '<b>\n&' },
  };
  const { body, format } = messageFor(outgoing('backup_warning', { event }), { ...to, scheme });
  expect(format).toBe('html');
  expect(body).toMatch(/^<!DOCTYPE html>/);
  expect(body).toContain('&quot;&gt;&lt;script&gt;');
  expect(body).toContain('&lt;b&gt;<br>&amp;');
  expect(body).not.toContain('<script>');
});

test('returns the facts to programs under their names', () => {
  expect(messageFor(outgoing('backup_success'), to).data).toEqual({
    ...data,
    event_type: 'backup_success',
    timestamp: '2026-03-01T02:00:05.000Z',
    completed_at: '2026-03-01T02:00:05.000Z',
  });
  expect(messageFor(outgoing('backup_failure'), to).data).toMatchObject({
    job_id: 12,
    error_message: 'The disk is full.',
    failed_at: '2026-03-01T02:00:05.000Z',
  });
});

test('reports the number of grouped failures', () => {
  const { title, body, data: facts } = messageFor(outgoing('check_failure', { count: 3, firstAt: 0 }), to);
  expect(title).toBe('❌ Repository check failed (3 times)');
  expect(body).toContain('Occurrences: 3 since 1970-01-01 00:00:00 UTC');
  expect(facts).toMatchObject({ count: 3, first_at: '1970-01-01T00:00:00.000Z' });
});

test.each([
  ['backup:1', '✅ Backup works again', 'backup_recovered'],
  ['check:1', '✅ Repository check works again', 'check_recovered'],
  ['schedule:1', '✅ Scheduled backup works again', 'schedule_recovered'],
])('reports the end of the failures of %s', (recovered, title, event) => {
  const message = messageFor(outgoing('backup_success', { recovered }), to);
  expect(message).toMatchObject({ title, event, type: 'success', data: { event_type: event } });
  expect(message.body).toContain('Repository: home');
});

import { describe, expect, test } from 'vitest';
import { type NotificationKind, notificationKinds } from '../../src/notifications/notification-kind.rules.js';
import { messageFor, type Outgoing } from '../../src/notifications/notification-message.rules.js';

const at = Date.UTC(2026, 2, 1, 2, 0, 5);
const data = {
  ...{
    repository_name: 'home',
    repository_path: 'ssh://me@box/backups/home',
    job_id: 12,
    job_name: 'nightly',
  },
  ...{ archive_name: 'home-1', source_directories: ['/home', '/etc'], target_path: '/restored' },
  ...{ stats: { original_size: 2048, compressed_size: 0, deduplicated_size: 0 }, duration_seconds: 185 },
  check_type: 'scheduled',
};
const extra: Partial<Record<NotificationKind, object>> = {
  backup_warning: { warning_message: 'A file <a> changed.' },
  backup_failure: { error_message: 'The disk is full.' },
  restore_failure: { error_message: 'No rights.' },
  check_failure: { error_message: 'x'.repeat(300) },
  schedule_failure: { job_name: undefined, schedule_name: 'nightly', error_message: 'It is gone.' },
};
const to = { scheme: 'json', title_prefix: null, include_job_name_in_title: false };

const outgoing = (kind: NotificationKind, more: Partial<Outgoing> = {}): Outgoing => ({
  ...{ messageId: 'm', count: 1, firstAt: at, recovered: null },
  event: { kind, at, data: { ...data, ...extra[kind] } },
  ...more,
});
const failureAdvice = 'Read the log of job 12 of this repository, fix the cause, and start the backup again.';

describe('what is said of', () => {
  test.each([
    [
      'backup_start',
      ['info', '🚀 Backup Started'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\n' +
        'Sources:\n• /home\n• /etc\n\nStarted at 2026-03-01 02:00:05 UTC',
    ],
    [
      'backup_success',
      ['success', '✅ Backup Successful'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\n' +
        'Original Size: 2.00 KB\nDeduplicated: 0.00 B\nDuration: 3m 5s\n\nCompleted at 2026-03-01 02:00:05 UTC',
    ],
    [
      'backup_warning',
      ['warning', '⚠️ Backup Completed with Warnings'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\n' +
        'Original Size: 2.00 KB\nDeduplicated: 0.00 B\nDuration: 3m 5s\n\nWarning: A file <a> changed.\n\n' +
        'What to do next: Check the files that the warning names; the archive contains all others.\n\n' +
        'Completed at 2026-03-01 02:00:05 UTC',
    ],
    [
      'backup_failure',
      ['failure', '❌ Backup Failed'],
      'Repository: home\nLocation: ssh://box/backups/home\nSchedule: nightly\nJob ID: 12\n\n' +
        `Error: The disk is full.\n\nWhat to do next: ${failureAdvice}\n\nFailed at 2026-03-01 02:00:05 UTC`,
    ],
    [
      'restore_success',
      ['success', '✅ Restore Successful'],
      'Archive: home-1\nRepository: home\nLocation: ssh://box/backups/home\nDestination: /restored\n' +
        'Duration: 3m 5s\n\nCompleted at 2026-03-01 02:00:05 UTC',
    ],
    [
      'restore_failure',
      ['failure', '❌ Restore Failed'],
      /Archive: home-1\n[\s\S]*Error: No rights\.[\s\S]*Failed at/,
    ],
    [
      'check_success',
      ['success', '✅ Repository Check Completed'],
      'Repository: home\nPath: ssh://box/backups/home\nType: Scheduled\nDuration: 3m 5s\n\n' +
        'Completed at 2026-03-01 02:00:05 UTC',
    ],
    ['check_failure', ['failure', '❌ Repository Check Failed'], /Error: x{199}…\n[\s\S]*Completed at/],
    [
      'schedule_failure',
      ['failure', '❌ Scheduled Backup Failed'],
      /^Schedule: nightly\nRepository: home\nLocation: [\s\S]*Error: It is gone\.\n[\s\S]*Failed at/,
    ],
  ] as const)('%s', (kind, [type, title], body) => {
    const message = messageFor(outgoing(kind), to);
    expect(message).toMatchObject({ id: 'm', title, type, event: kind, format: 'text' });
    expect(message.timestamp).toBe('2026-03-01T02:00:05.000Z');
    if (typeof body === 'string') expect(message.body).toBe(body);
    else expect(message.body).toMatch(body);
  });

  test('every kind has a case above', () => expect(notificationKinds).toHaveLength(9));
});

test.each([
  [{ title_prefix: '[PROD]', include_job_name_in_title: true }, '[PROD] nightly: ❌ Backup Failed'],
  [{ title_prefix: '[PROD]' }, '[PROD] ❌ Backup Failed'],
  [{ include_job_name_in_title: true }, 'nightly: ❌ Backup Failed'],
  [{ title_prefix: 'a\r\nBcc: x' }, 'a Bcc: x ❌ Backup Failed'],
])('the title with %o', (how, title) => {
  expect(messageFor(outgoing('backup_failure'), { ...to, ...how }).title).toBe(title);
});

test('a manual backup has no job name to put into the title', () => {
  const event = { kind: 'backup_success' as const, at, data: { ...data, job_name: null } };
  const how = { ...to, include_job_name_in_title: true };
  expect(messageFor(outgoing('backup_success', { event }), how).title).toBe('✅ Backup Successful');
});

test('a cancelled backup is told with another advice', () => {
  const event = { kind: 'backup_failure' as const, at, data: { ...data, status: 'cancelled' } };
  expect(messageFor(outgoing('backup_failure', { event }), to).body).toContain('when convenient');
});

test.each(['mailto', 'mailtos'])('%s gets a page in which texts are escaped', (scheme) => {
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

test('programs get the facts under their names', () => {
  expect(messageFor(outgoing('backup_success'), to).data).toEqual({
    ...data,
    ...{ event_type: 'backup_success', timestamp: '2026-03-01T02:00:05.000Z' },
    completed_at: '2026-03-01T02:00:05.000Z',
  });
  expect(messageFor(outgoing('backup_failure'), to).data).toMatchObject({
    ...{ job_id: 12, error_message: 'The disk is full.', failed_at: '2026-03-01T02:00:05.000Z' },
  });
});

test('a group of failures says how many', () => {
  const { title, body, data: facts } = messageFor(outgoing('check_failure', { count: 3, firstAt: 0 }), to);
  expect(title).toBe('❌ Repository Check Failed (3 times)');
  expect(body).toContain('Occurrences: 3 since 1970-01-01 00:00:00 UTC');
  expect(facts).toMatchObject({ count: 3, first_at: '1970-01-01T00:00:00.000Z' });
});

test.each([
  ['backup:1', '✅ Backup Recovered', 'backup_recovered'],
  ['check:1', '✅ Repository Check Recovered', 'check_recovered'],
  ['schedule:1', '✅ Scheduled Backup Recovered', 'schedule_recovered'],
])('the end of the failures of %s', (recovered, title, event) => {
  const message = messageFor(outgoing('backup_success', { recovered }), to);
  expect(message).toMatchObject({ title, event, type: 'success', data: { event_type: event } });
  expect(message.body).toContain('Repository: home');
});

import { describe, expect, it } from 'vitest';
import {
  checkTemplate,
  defaultTemplate,
  renderArchiveName,
} from '../../src/backup/repositories/archive-name.rules.js';

const at = Date.UTC(2026, 6, 1, 22, 30, 5, 250);
const facts = { scheduleName: 'web', repositoryName: 'home', at, timeZone: 'UTC' };
const render = (template: string, more: Partial<typeof facts> = {}) =>
  renderArchiveName(template, { ...facts, ...more });

describe('the name of an archive', () => {
  it('has every placeholder replaced', () => {
    expect(render('{job_name}|{repo_name}|{now}|{date}|{time}|{timestamp}|{date}')).toBe(
      'web|home|2026-07-01T22:30:05|2026-07-01|22:30:05|1782945005|2026-07-01',
    );
  });

  it('has its times in the zone of the schedule', () => {
    expect(render('{now} {timestamp}', { timeZone: 'Europe/Berlin' })).toBe('2026-07-02T00:30:05-1782945005');
    expect(render('{date}', { timeZone: 'Asia/Kathmandu' })).toBe('2026-07-02');
    expect(render('{now}', { timeZone: 'Nowhere/None' })).toBe('2026-07-01T22:30:05');
  });

  it('keeps the braces of a schedule or repository as they are', () => {
    expect(
      render('{job_name}-{repo_name}', { scheduleName: 'x{now}', repositoryName: '{job_name}{hostname}' }),
    ).toBe('x{now}-{job_name}{hostname}');
  });

  it('holds nothing that a tool would refuse or hide', () => {
    expect(render('  a  b\t/ \\c\nd ')).toBe('a-b-c-d');
    expect(render('{job_name}', { scheduleName: 'a/b\ud800c\u0000d' })).toBe('a-b-c-d');
    expect(render('{job_name}', { scheduleName: 'web.checkpoint' })).toBe('web-checkpoint');
    expect(render('{job_name}.{timestamp}', { scheduleName: 'web.checkpoint' })).toBe(
      'web-checkpoint.1782945005',
    );
    expect(render('.check{job_name}', { scheduleName: 'point.3' })).toBe('-checkpoint.3');
  });

  it('includes the repository by default if there are several', () => {
    expect(render(defaultTemplate(false))).toBe('web-2026-07-01T22:30:05');
    expect(render(defaultTemplate(true))).toBe('web-home-2026-07-01T22:30:05');
  });
});

describe('a template', () => {
  it.each(['{job_name}', 'daily', 'a {now}', '{repo_name}/{date}', defaultTemplate(true)])(
    'may be %s',
    (template) => {
      expect(checkTemplate(template)).toBeNull();
    },
  );

  it.each([
    ['{hostname}-{now}', '{hostname}'],
    ['{now:%Y}', '{now:%Y}'],
    ['{}', '{}'],
    ['{ now }', '{ now }'],
    ['{constructor}', '{constructor}'],
    ['{{now}}', 'brace'],
    ['{now', 'brace'],
    ['now}', 'brace'],
    ['{job_name}.checkpoint', '.checkpoint'],
    ['{job_name}.checkpoint.{timestamp}', '.checkpoint'],
    ['', 'empty'],
    ['  ', 'empty'],
    [' / ', 'empty'],
  ])('cannot be %s', (template, reason) => {
    expect(checkTemplate(template)?.text).toContain(reason);
  });
});

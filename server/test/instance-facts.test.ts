import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { instanceFacts, isGone } from '../src/adapters/instance-facts.js';

const own = { ...instanceFacts('1'), id: 1, started_at: 0, lease_until: 0 };
const ended = spawnSync('true').pid;

it.each([
  ['this process', own, false],
  ['one that ended', { ...own, pid: ended }, true],
  ['an earlier one of the same number', { ...own, process_start: '1' }, true],
  ['one of another machine', { ...own, place: 'elsewhere', pid: ended }, false],
  ['one that could not tell when it started', { ...own, process_start: '', pid: ended }, false],
])('detects an ended instance: %s', (_, row, gone) => {
  expect(isGone(row)).toBe(gone);
});

import { readFileSync } from 'node:fs';
import { tableBounds } from '@holdfast/core/server';
import { expect, test } from 'vitest';
import { limitVariables } from '../src/limit-variables.js';

const text = readFileSync(new URL('../../docs/admin/configuration.md', import.meta.url), 'utf8');
const cells = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));

test.each(Object.keys(limitVariables))(
  'documents %s and its default in docs/admin/configuration.md',
  (name) => {
    const found = cells.filter((row) => row.includes(name));
    expect(found).toHaveLength(1);
    const schema = limitVariables[name as keyof typeof limitVariables];
    expect(found[0]?.[3]?.replaceAll(',', '')).toBe(String(schema.parse(undefined)));
  },
);

test('documents every swept table in docs/admin/configuration.md', () => {
  const swept = Object.entries(tableBounds).filter(([, bound]) => 'removedBy' in bound);
  for (const [name] of swept) expect(text).toContain(`\`${name}\``);
});

test('accepts at most a day for a limit in seconds', () => {
  const { REQUEST_TIMEOUT_SECONDS: seconds } = limitVariables;
  expect(seconds.parse('86400')).toBe(86_400);
  expect(seconds.safeParse('86401').success).toBe(false);
});

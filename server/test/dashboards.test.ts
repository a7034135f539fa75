import { readFileSync } from 'node:fs';
import { statusSummary } from '@holdfast/contracts';
import { expect, test } from 'vitest';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const fieldsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

test.each([
  ['examples/dashboards/homepage.yaml', /- field: (\w+)/g],
  ['examples/dashboards/glance.yaml', /\.JSON\.\w+ "(\w+)"/g],
])('names fields of the summary in %s', (path, pattern) => {
  const text = textOf(path);
  const fields = fieldsIn(text, pattern);
  expect(fields.length).toBeGreaterThan(3);
  expect(Object.keys(statusSummary.shape)).toEqual(expect.arrayContaining(fields));
  expect(text).toContain('/api/status/summary\n');
});

test('names a field and a state of the summary for Uptime Kuma', () => {
  const row = /^\| Uptime Kuma +\|.*the query `(\w+)` and the expected value `(\w+)`/m;
  const [, field = '', value] = row.exec(textOf('docs/admin/monitoring.md')) ?? [];
  expect(field).toBe('state');
  expect(statusSummary.shape.state.safeParse(value).success).toBe(true);
});

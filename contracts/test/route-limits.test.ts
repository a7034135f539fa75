import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { contract, type RouteMetadata, routesOf } from '../src/index.js';

const routes = routesOf(contract).map((route) => ({
  name: `${route.method} ${route.path}`,
  metadata: route.metadata as RouteMetadata,
  query: (route.query as z.AnyZodObject | undefined)?.shape ?? {},
}));

const longestPage = 10_000;
/** Where the interface shows all by default. */
const largerPages: Record<string, number> = {
  'GET /api/archives/:archive_id/contents limit': 1_000_000,
  'GET /api/archives/:archive_id/info file_limit': 100_000,
  'GET /api/repositories/:repo_id/archives/:archive_id file_limit': 100_000,
};

const takes = (schema: z.ZodTypeAny, value: number) => schema.safeParse(String(value)).success;

/** Of what is in a query, how many of something. */
const limits = routes.flatMap(({ name, query }) =>
  Object.entries(query as Record<string, z.ZodTypeAny>)
    .filter(([parameter]) => /limit|size|count|hours|lines/.test(parameter) && !/^m(in|ax)_/.test(parameter))
    .map(([parameter, schema]) => [`${name} ${parameter}`, schema] as const),
);

test('defines page limits', () => expect(limits.length).toBeGreaterThan(10));

test.each(limits)('limits the page size: %s', (name, schema) => {
  expect(takes(schema, (largerPages[name] ?? longestPage) + 1)).toBe(false);
  expect(takes(schema, 1)).toBe(true);
});

test.each(limits)('refuses unlimited pages: %s', (_name, schema) => {
  for (const endless of ['-1', '1e9', 'Infinity', '']) expect(schema.safeParse(endless).success).toBe(false);
});

describe('expensive routes', () => {
  const expensive = routes.filter(({ metadata }) => metadata.cost === 'high');

  test('require a known caller', () => {
    for (const { name, metadata } of expensive) expect([name, metadata.access.who]).not.toContain('public');
  });

  test('everything that starts a job', () => {
    const others = routes.filter(({ metadata: { creates, cost } }) => creates === 'job' && cost !== 'high');
    expect(others).toEqual([]);
  });

  test('everything that is named after a test, a search or a comparison', () => {
    const named = routes.filter(({ name }) => /\/(test(-connection)?|search|diff|history)$/.test(name));
    // It reads rows of the storage only.
    const cheap = 'GET /api/repositories/:repo_id/history';
    expect(named.length).toBeGreaterThan(6);
    for (const { name, metadata } of named) {
      if (name !== cheap) expect([name, metadata.cost]).toEqual([name, 'high']);
    }
  });
});

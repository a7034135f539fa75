import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '@holdfast/plugin-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JobContext, JobHandler, JobResult } from '../../src/engine/jobs/index.js';
import { withOwnCopy } from '../../src/migration/recovery/index.js';

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'holdfast-own-'));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

const done: JobResult = { status: 'completed' };
const sourceOf = ({ repository }: JobContext) => repository.source_directories[0] ?? '';

function world({
  own = true,
  free = 1 << 30,
  lost = false,
  work = async (_: JobContext) => done,
  write = async (file: string) => writeFileSync(file, 'all rows'),
} = {}) {
  const controller = new AbortController();
  if (lost) controller.abort();
  const context = {
    repository: { self_backup: own, source_directories: ['/elsewhere'], exclude_patterns: ['*'] },
    signal: new AbortController().signal,
    lost: controller.signal,
    progress: () => {},
    log: () => {},
  } as unknown as JobContext;
  const needs = {
    storage: { copies: { form: 'sqlite', size: async () => 1_000, write } },
    files: { space: async () => ({ free, total: free, device: 1 }) },
    clock: { now: Date.now },
    log: { error: () => {} },
    serverVersion: '0.2.0',
    ownKeys: { current: 'key', former: [] },
    settings: { dataDirectory, installation: 'abc' },
  } as unknown as Parameters<typeof withOwnCopy>[0];
  const handler = withOwnCopy(needs, { run: work, recover: work } as unknown as JobHandler);
  return { context, handler };
}
const left = () => readdirSync(join(dataDirectory, 'self-backup'));

it('makes a whole copy, lets it be saved, and removes it', async () => {
  const seen: string[] = [];
  const { handler, context } = world({
    work: async (given) => {
      seen.push(...readdirSync(join(sourceOf(given), 'holdfast-copy')));
      return done;
    },
  });
  expect(await handler.run(context)).toBe(done);
  expect(seen.sort()).toEqual(['database', 'manifest.json', 'secret_key']);
  expect(left()).toEqual(['README.txt']);
});

it('removes it after a failure, and leftovers of a killed run before it begins', async () => {
  mkdirSync(join(dataDirectory, 'self-backup', '.holdfast-copy.unfinished'), { recursive: true });
  const { handler, context } = world({
    work: async (given) => {
      expect(readdirSync(sourceOf(given)).sort()).toEqual(['README.txt', 'holdfast-copy']);
      throw new Error('the tool failed');
    },
  });
  await expect(handler.run(context)).rejects.toThrow('the tool failed');
  expect(left()).toEqual(['README.txt']);
});

it('removes leftovers of a killed run during its recovery', async () => {
  mkdirSync(join(dataDirectory, 'self-backup', 'holdfast-copy'), { recursive: true });
  const { handler, context } = world();
  expect(await handler.recover(context)).toBe(done);
  expect(left()).toEqual(['README.txt']);
});

it('keeps the folder if another instance took over the job', async () => {
  const { handler, context } = world({ lost: true });
  await handler.run(context);
  expect(left()).toEqual(['README.txt', 'holdfast-copy']);
});

it('begins nothing without the space for it', async () => {
  const { handler, context } = world({ free: 64 << 20, work: () => Promise.reject(new Error('never')) });
  await expect(handler.run(context)).rejects.toMatchObject({
    detail: expect.stringMatching(
      /^The copy of Holdfast itself needs .* in .*self-backup, which has .* free/,
    ),
  });
  expect(left()).toEqual(['README.txt']);
});

it.each([
  [new StoreError('invalid', 'pg_dump was not found: install it.'), 'pg_dump was not found: install it.'],
  [Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }), 'ENOSPC'],
])('reports the reason for a missing copy: %s', async (error, problem) => {
  const { handler, context } = world({ write: () => Promise.reject(error) });
  await expect(handler.run(context)).rejects.toMatchObject({
    detail: `The copy of Holdfast itself could not be made: ${problem}`,
  });
  expect(left()).toEqual(['README.txt']);
});

it('leaves all other repositories alone', async () => {
  const { handler, context } = world({
    own: false,
    work: async (given) => {
      expect(given.repository.source_directories).toEqual(['/elsewhere']);
      return done;
    },
  });
  await handler.run(context);
  await handler.recover(context);
  expect(existsSync(join(dataDirectory, 'self-backup'))).toBe(false);
});

import { expect, it } from 'vitest';
import type { JobContext } from '../../src/engine/jobs/job-contract.js';
import { discoveryHandler } from '../../src/migration/moving-in/discovery-handler.js';
import { memoryStorage } from '../fakes/memory-storage.js';

it('reports an interrupted search as one that did not look everywhere', async () => {
  const needs = { storage: memoryStorage() } as unknown as Parameters<typeof discoveryHandler>[0];
  const context = { job: { id: 1, progress: { files: 7 } } } as unknown as JobContext;
  expect(await discoveryHandler(needs).recover?.(context)).toMatchObject({
    status: 'failed',
    error: { code: 'discovery_interrupted' },
    outcome: { found: 0, folders: 7, truncated: true },
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RepositoryRow } from '../../src/backup/repositories/tables.js';
import { returnJob, takePendingJob } from '../../src/engine/jobs/job-taking.js';
import { events } from '../../src/foundation/events/tables.js';
import { said } from '../fakes/said.js';
import {
  engineCore,
  heldHandler,
  type Instance,
  insertRepository,
  memoryStorage,
  pass,
  request,
  startInstance,
} from './engine-world.js';

let storage: ReturnType<typeof memoryStorage>;
let repository: RepositoryRow;
let instance: Instance | undefined;

beforeEach(async () => {
  vi.useFakeTimers();
  storage = memoryStorage();
  repository = await insertRepository(storage, 'photos');
});

afterEach(async () => {
  const stopped = instance?.stop(0);
  await pass(60_000);
  await stopped;
  instance = undefined;
  vi.useRealTimers();
});

/** The kinds and states of the events of a job, in order. */
const told = async (jobId: number) =>
  (await storage.find(events, { where: { job_id: jobId } }))
    .filter(({ kind }) => kind.startsWith('job_'))
    .map(({ kind, data }) => `${kind} ${data.status}`);

describe('job events', () => {
  it('report each state from request to end with the object', async () => {
    const handler = heldHandler();
    instance = startInstance({ storage, handlers: [handler] });
    const { id } = await request(instance, repository);
    await pass(10);
    expect(await told(id)).toEqual(['job_queued pending', 'job_started running']);
    handler.runs[0]?.finish({ status: 'failed', error: said('The disk is full.') });
    await pass(10);
    expect(await told(id)).toEqual(['job_queued pending', 'job_started running', 'job_ended failed']);
    const [end] = await storage.find(events, { where: { kind: 'job_ended' } });
    expect(end).toMatchObject({
      repository_id: repository.id,
      job_id: id,
      data: {
        kind: 'backup',
        repository_id: repository.id,
        repository_name: 'photos',
        schedule_id: null,
        error_message: 'The disk is full.',
      },
    });
  });

  it('report a cancelled pending job and a cancelled running job', async () => {
    const handler = heldHandler();
    instance = startInstance({ storage, handlers: [handler] });
    const [first, second] = [await request(instance, repository), await request(instance, repository)];
    await pass(10);
    await instance.queue.cancel(second.id, 'backup');
    expect(await told(second.id)).toEqual(['job_queued pending', 'job_ended cancelled']);
    const cancelled = instance.queue.cancel(first.id, 'backup');
    await pass(2_000);
    await cancelled;
    expect(await told(first.id)).toEqual([
      'job_queued pending',
      'job_started running',
      'job_ended cancelled',
    ]);
  });

  it('report a job that returns to the queue before it began', async () => {
    const core = engineCore(storage, [heldHandler()]);
    instance = startInstance({ storage, handlers: [] });
    const { id } = await instance.queue.insert({
      kind: 'backup',
      repository,
      parameters: {},
      requestedBy: 'alice',
    });
    const taking = await takePendingJob(core, id);
    if (taking.result !== 'taken') throw new Error('it was not taken');
    await returnJob(core, taking.taken);
    expect(await told(id)).toEqual(['job_queued pending', 'job_started running', 'job_queued pending']);
  });

  it('omit a request that was rolled back', async () => {
    instance = startInstance({ storage, handlers: [] });
    const { queue } = instance;
    const order = { kind: 'check' as const, repository, parameters: {}, requestedBy: 'alice' };
    const failing = storage.transaction(async (session) => {
      await queue.insert(order, session);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await storage.find(events)).toEqual([]);
  });
});

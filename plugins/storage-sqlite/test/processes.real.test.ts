import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Entity } from '@holdfast/plugin-api';
import { afterEach, describe, expect, it } from 'vitest';
import { jobs, settings, users } from './entities.js';
import { openFile } from './open-file.js';
import { temporaryFolder } from './temporary-folder.js';

const inFolder = temporaryFolder();
const script = fileURLToPath(new URL('worker.mjs', import.meta.url));
const workers: ChildProcess[] = [];

afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
});

function startWorker(file: string) {
  const worker = fork(script, [file], { execArgv: [] });
  workers.push(worker);
  const tell = async (task: string, input: object = {}): Promise<unknown> => {
    worker.send({ task, ...input });
    const [answer] = (await once(worker, 'message')) as [{ result: unknown; error?: string }];
    if (answer.error) throw new Error(answer.error);
    return answer.result;
  };
  return { worker, tell };
}

async function startWorkers(file: string) {
  const started = Array.from({ length: 3 }, () => startWorker(file));
  // All at once, so that they also meet at the making of the tables.
  await Promise.all(started.map(({ tell }) => tell('start')));
  return started;
}

const values = { repository_path: '/r', repository_name: 'r', requested_by: 'a', requested_at: 1 };
const pending = { ...values, kind: 'backup', status: 'pending', parameters: {}, progress: {} };

describe('several processes on one file', () => {
  it('get the count 1 exactly once for 50 claims of a job', async () => {
    const file = inFolder('claims.sqlite');
    const started = await startWorkers(file);
    const { storage, close } = await openFile(file);
    for (let round = 0; round < 5; round++) {
      const { id } = await storage.insert<Entity>(jobs, pending);
      const counts = await Promise.all(
        started.map(
          ({ tell }, index) => tell('claim', { id, times: index === 0 ? 16 : 17 }) as Promise<number[]>,
        ),
      );
      expect(counts.flat()).toHaveLength(50);
      expect(counts.flat().filter((count) => count !== 0)).toEqual([1]);
      const winner = started[counts.findIndex((each) => each.includes(1))]?.worker.pid;
      expect((await storage.find(jobs, { where: { id: id as number } }))[0]?.owner).toBe(`${winner}`);
    }
    await Promise.all([close(), ...started.map(({ tell }) => tell('stop'))]);
  });

  it('lose no increment of transactions that read first', async () => {
    const file = inFolder('counter.sqlite');
    const { storage, close } = await openFile(file);
    await storage.insert(settings, { key: 'counter', value: 0 });
    const started = await startWorkers(file);
    await Promise.all(started.map(({ tell }) => tell('count', { times: 40 })));
    expect((await storage.find(settings))[0]?.value).toBe(120);
    await Promise.all([close(), ...started.map(({ tell }) => tell('stop'))]);
  });

  it('ignore a process killed in a transaction and its changes', async () => {
    const file = inFolder('killed.sqlite');
    const { storage, close } = await openFile(file);
    const { worker, tell } = startWorker(file);
    await tell('start');
    await tell('hang');
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await storage.insert(users, { username: 'next', password_hash: 'x', created_at: 1 });
    expect((await storage.find(users)).map(({ username }) => username)).toEqual(['next']);
    await close();
  });
});

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Entity } from '@holdfast/plugin-api';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dropDatabases, newDatabase, openDatabase, urlOf } from './databases.js';
import { jobs, settings, users } from './entities.js';

const script = fileURLToPath(new URL('worker.mjs', import.meta.url));
const workers: ChildProcess[] = [];

afterEach(async () => {
  for (const worker of workers.splice(0)) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
});
afterAll(dropDatabases);

function startWorker(url: string) {
  const worker = fork(script, { env: { ...process.env, TEST_DATABASE: url }, execArgv: [] });
  workers.push(worker);
  const tell = async (task: string, input: object = {}): Promise<unknown> => {
    worker.send({ task, ...input });
    const [answer] = (await once(worker, 'message')) as [{ result: unknown; error?: string }];
    if (answer.error) throw new Error(answer.error);
    return answer.result;
  };
  return { worker, tell };
}

async function startWorkers(url: string) {
  const started = Array.from({ length: 3 }, () => startWorker(url));
  // All at once, so that they also meet at the making of the tables.
  await Promise.all(started.map(({ tell }) => tell('start')));
  return started;
}

const values = { repository_path: '/r', repository_name: 'r', requested_by: 'a', requested_at: 1 };
const pending = { ...values, kind: 'backup', status: 'pending', parameters: {}, progress: {} };

describe('several processes on one database', () => {
  it('create tables once, claim a row once and lose no increment', async () => {
    const url = urlOf(await newDatabase());
    const started = await startWorkers(url);
    const { storage, close } = await openDatabase(url);
    for (let round = 0; round < 3; round++) {
      const { id } = await storage.insert<Entity>(jobs, pending);
      const claims = started.map(({ tell }, index) => tell('claim', { id, times: index === 0 ? 16 : 17 }));
      const counts = (await Promise.all(claims)) as number[][];
      expect(counts.flat()).toHaveLength(50);
      expect(counts.flat().filter((count) => count !== 0)).toEqual([1]);
      const winner = started[counts.findIndex((each) => each.includes(1))]?.worker.pid;
      expect((await storage.find(jobs, { where: { id: id as number } }))[0]?.owner).toBe(`${winner}`);
    }
    await storage.insert(settings, { key: 'counter', value: 0 });
    await Promise.all(started.map(({ tell }) => tell('count', { times: 30 })));
    expect((await storage.find(settings))[0]?.value).toBe(90);
    await Promise.all([close(), ...started.map(({ tell }) => tell('stop'))]);
  });

  it('ignore a process killed in a transaction and its changes', async () => {
    const url = urlOf(await newDatabase());
    const { storage, close } = await openDatabase(url);
    const { worker, tell } = startWorker(url);
    await tell('start');
    await tell('hang');
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await storage.insert(users, { username: 'unfinished', password_hash: 'x', created_at: 1 });
    expect((await storage.find(users)).map(({ id }) => id)).toEqual([2]);
    await close();
  });
});

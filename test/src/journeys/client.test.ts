import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answer, answerWithTag, downloadAddress, followEvents, ifMatch, makeClient } from '@holdfast/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { adminPassword, TestServer } from '../server.js';

let server: TestServer;
let api: Api;
let repository: Repository;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  const source = server.workspace.folder('source');
  writeFileSync(join(source, 'letter.txt'), 'Dear Ann');
  const path = join(server.workspace.path, 'repository');
  repository = await createRepository(api, { name: 'Home', path, source_directories: [source] });
});
afterAll(() => server?.remove());

const signedIn = () => makeClient({ baseUrl: server.api.baseUrl, token: () => api.token ?? undefined });

test('creates one job even if its response is lost', async () => {
  const statuses: number[] = [];
  const client = makeClient({
    baseUrl: server.api.baseUrl,
    token: () => api.token ?? undefined,
    fetch: async (request) => {
      const response = await fetch(request);
      statuses.push(response.status);
      if (statuses.length === 1) throw new TypeError('terminated');
      expect(response.headers.get('Idempotency-Replayed')).toBe('true');
      return response;
    },
  });
  const body = { repository_id: repository.id };
  const { job_id } = await answer(client.POST('/api/backup/start', { body }));
  expect(statuses).toEqual([200, 200]);
  const { jobs } = await answer(signedIn().GET('/api/jobs', { params: { query: { kind: 'backup' } } }));
  expect(jobs.map(({ id }) => id)).toEqual([job_id]);
});

test('reports a conflict for a write with an outdated tag', async () => {
  const client = signedIn();
  const path = { repo_id: repository.id };
  const read = () => answerWithTag(client.GET('/api/repositories/{repo_id}', { params: { path } }));
  const write = (etag: string | undefined, name: string) =>
    answerWithTag(
      client.PUT('/api/repositories/{repo_id}', { params: { path, header: ifMatch(etag) }, body: { name } }),
    );
  const seen = await read();
  const { etag } = await write(seen.etag, 'Ann');
  await expect(write(seen.etag, 'Ben')).rejects.toMatchObject({ status: 412 });
  await write(etag, 'Cy');
  expect((await read()).data.repository.name).toBe('Cy');
});

test('downloads once without a token', async () => {
  await backUp(api, repository.path);
  const client = signedIn();
  const query = { repository_id: repository.id };
  const { archives } = await answer(client.GET('/api/archives/list', { params: { query } }));
  const archive = archives.at(-1)?.name ?? '';
  const file = `${server.workspace.path}/source/letter.txt`.slice(1);
  const one = await downloadAddress(client, '/api/archives/download', {
    query: { ...query, archive, file_path: file },
  });
  expect(one).not.toContain(api.token);
  expect(await (await fetch(one)).text()).toBe('Dear Ann');
  expect((await fetch(one)).status).toBe(401);
  const several = { query: { ...query, archive, format: 'zip' as const } };
  const packed = await downloadAddress(client, '/api/archives/download', several, { filePaths: [file] });
  expect(Buffer.from(await (await fetch(packed)).arrayBuffer()).toString('latin1', 0, 2)).toBe('PK');
});

test('signs in once for all waiting calls', async () => {
  let token = 'outdated';
  let asked = 0;
  const client = makeClient({
    baseUrl: server.api.baseUrl,
    token: () => token,
    onUnauthorized: async () => {
      asked += 1;
      const body = { username: 'admin', password: adminPassword };
      token = (await answer(client.POST('/api/auth/session', { body }))).access_token;
      return true;
    },
  });
  const calls = [client.GET('/api/auth/me'), client.GET('/api/auth/me')];
  const users = await Promise.all(calls.map((call) => answer(call)));
  expect(users.map(({ username }) => username)).toEqual(['admin', 'admin']);
  expect(asked).toBe(1);
  token = 'outdated';
  const wrong = makeClient({ baseUrl: server.api.baseUrl });
  const body = { username: 'admin', password: 'wrong' };
  await expect(answer(wrong.POST('/api/auth/session', { body }))).rejects.toMatchObject({ status: 401 });
});

test('continues events without a gap after the server was killed and restarted', async () => {
  const states: string[] = [];
  const leaving = new AbortController();
  const events = followEvents(signedIn(), {
    kinds: ['repository_updated'],
    progress: true,
    signal: leaving.signal,
    onState: (state) => states.push(state),
  });
  const next = async () => (await events.next()).value;
  const rename = (name: string) => api.put(`/api/repositories/${repository.id}`, { name });
  expect(await next()).toMatchObject({ event: 'ready' });
  await rename('one');
  const first = await next();
  expect(first).toMatchObject({ event: 'repository_updated', data: { repository_id: repository.id } });
  await rename('two');
  expect(await next()).toMatchObject({ event: 'repository_updated' });

  const after = next();
  await server.restart('SIGKILL');
  await rename('three');
  expect(await after).toMatchObject({ event: 'ready', data: { last_event_id: expect.any(Number) } });
  expect(await next()).toMatchObject({ event: 'repository_updated' });
  expect(states.slice(0, 3)).toEqual(['connecting', 'open', 'lost']);
  expect(states.at(-1)).toBe('open');

  const end = next();
  leaving.abort();
  expect(await end).toBeUndefined();
});

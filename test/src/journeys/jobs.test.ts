import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  createRepository,
  endedJob,
  expectRefusal,
  isTerminal,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Answer, Api } from '../api.js';
import { EventReader, type ReadEvent } from '../event-reader.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const workspace = makeWorkspace();
const readers: EventReader[] = [];
let server: TestServer;
let other: TestServer;
let api: Api;
let guest: Api;
let repository: Repository;
let busy: Repository;
let held: MemoryRepository;

/** Two processes on one database. */
beforeAll(async () => {
  const options = { driver: 'memory', dataDirectory: join(workspace.path, 'data') } as const;
  [server, other] = await Promise.all([TestServer.start(options), TestServer.start(options)]);
  api = await server.login();
  const user = { username: 'guest', password: 'a long password 1' };
  expect((await api.post('/api/auth/users', user)).status).toBe(201);
  const form = new URLSearchParams(user);
  const signedIn = await fetch(`${server.api.baseUrl}/api/auth/login`, { method: 'POST', body: form });
  guest = server.api.as(((await signedIn.json()) as { access_token: string }).access_token);
  makeFiles(workspace.folder('source'), 5);
  const path = (name: string) => join(workspace.path, name);
  repository = await createRepository(api, {
    name: 'home',
    path: path('home'),
    source_directories: [path('source')],
  });
  busy = await createRepository(api, {
    name: 'busy',
    path: path('busy'),
    source_directories: [path('source')],
  });
  held = new MemoryRepository(busy.path);
}, 60_000);
afterAll(async () => {
  for (const reader of readers) reader.abort();
  await Promise.all([server?.remove(), other?.remove()]);
  workspace.remove();
});

async function follow(at: TestServer, query = ''): Promise<EventReader> {
  const reader = await EventReader.open(`${at.api.baseUrl}/api/events?${query}`, {
    authorization: `Bearer ${api.token}`,
  });
  readers.push(reader);
  expect((await reader.next())?.kind).toBe('ready');
  return reader;
}

async function nextOf(reader: EventReader, isWanted: (event: ReadEvent) => boolean): Promise<ReadEvent> {
  for (;;) {
    const event = await reader.next();
    if (event === null) throw new Error('the stream ended');
    if (isWanted(event)) return event;
  }
}

const list = async (query: Record<string, string | number> = {}, as = api) => {
  const { status, body } = await as.get('/api/jobs', query);
  expect(status).toBe(200);
  return body;
};
const ended = (id: number) =>
  waitFor(
    async () => {
      const { job } = (await api.get(`/api/jobs/${id}`)).body;
      return isTerminal(job) && job;
    },
    { what: `the end of job ${id}`, timeoutMs: 120_000 },
  );

test('shows jobs of every kind in one list and stream, with objects and logs', async () => {
  const reader = await follow(other, 'kinds=job_queued,job_started,job_ended');
  const at = `/api/repositories/${repository.id}`;
  const backup = await startBackup(api, repository.path);
  await endedJob(api, backup);
  const [archive] = await archivesOf(api, repository.path);
  const name = archive?.name ?? '';
  const destination = join(workspace.path, 'restored');
  const starts: [string, () => Promise<Answer>][] = [
    ['check', () => api.post(`${at}/check`, {})],
    ['prune', () => api.post(`${at}/prune`, { keep_daily: 7, dry_run: true })],
    [
      'restore',
      () => api.post('/api/restore/start', { repository: repository.path, archive: name, destination }),
    ],
    ['drill', () => api.post(`${at}/drill`)],
    [
      'archive_deletion',
      () => api.delete(`/api/archives/${encodeURIComponent(name)}`, { repository: repository.path }),
    ],
    ['compact', () => api.post(`${at}/compact`, {})],
    ['passphrase_change', () => api.post(`${at}/change-passphrase`, { passphrase: 'another one' })],
  ];
  const jobs: [string, number][] = [['backup', backup]];
  for (const [kind, start] of starts) {
    const { job_id } = (await start()).body;
    await ended(job_id);
    jobs.push([kind, job_id]);
  }

  const listed = await list({ repository_id: repository.id });
  expect(listed.jobs.map(({ kind, id }: { kind: string; id: number }) => [kind, id])).toEqual(
    jobs.toReversed(),
  );
  expect(listed.next_before).toBeNull();
  const about = Object.fromEntries(
    listed.jobs.map((job: { kind: string; status: string; about: object }) => [
      job.kind,
      { status: job.status, ...job.about },
    ]),
  );
  expect(about).toMatchObject({
    backup: { status: 'completed', archive: name },
    check: { status: 'completed', check_type: 'manual', problems_found: false },
    prune: { status: 'completed', dry_run: true, kept_count: 1, removed_count: 0 },
    restore: { status: 'completed', archive: name, destination, destination_host: null, path_count: 0 },
    drill: { status: 'completed', archive: name, failed_files: 0 },
    archive_deletion: { status: 'completed', archive: name },
    compact: { status: 'completed' },
  });
  expect(existsSync(destination)).toBe(true);
  for (const job of listed.jobs) {
    expect(job).toMatchObject({
      repository_name: 'home',
      requested_by: 'admin',
      progress: 100,
      cancellable: false,
      seconds: (Date.parse(job.completed_at) - Date.parse(job.started_at)) / 1000,
    });
  }

  for (const [kind, id] of jobs) {
    const seen: string[] = [];
    while (seen.length < 3) {
      const { kind: event, data } = (await reader.next()) ?? { kind: 'none', data: {} };
      expect(data).toMatchObject({
        job_id: id,
        repository_id: repository.id,
        data: { kind, schedule_id: null },
      });
      seen.push(`${event} ${data.data.status}`);
    }
    expect(seen).toEqual(['job_queued pending', 'job_started running', 'job_ended completed']);
  }

  const { body: log } = await guest.get(`/api/jobs/${backup}/log`, { offset: 0, limit: 1 });
  expect(log).toMatchObject({ job_id: backup, status: 'completed', has_more: log.total_lines > 1 });
  expect(log.lines).toMatchObject([{ line_number: 1 }]);
  const ticket = await guest.post('/api/download-tickets', { url: `/api/jobs/${backup}/log/download` });
  expect(ticket.status).toBe(201);
  const whole = await guest.request('GET', ticket.body.url, { token: null });
  expect(whole.text.trim().split('\n')).toHaveLength(log.total_lines);
  expect(whole.headers['content-disposition']).toContain(`backup_job_${backup}_logs.txt`);
}, 300_000);

test('pages and filters jobs, and rejects invalid values', async () => {
  const { jobs: all } = await list();
  const ids = all.map(({ id }: { id: number }) => id);
  const first = await list({ limit: 4 });
  const second = await list({ limit: 4, before: first.next_before });
  expect([first.next_before, second.next_before]).toEqual([ids[3], null]);
  expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids);
  const kinds = (body: { jobs: { kind: string }[] }) => body.jobs.map(({ kind }) => kind);
  expect(kinds(await list({ kind: 'check,restore' }))).toEqual(['restore', 'check']);
  expect(kinds(await list({ kind: 'check', status: 'failed' }))).toEqual([]);
  expect(kinds(await list({ status: 'completed', kind: 'prune', repository_id: repository.id }))).toEqual([
    'prune',
  ]);
  expect(await list({ repository_id: 4711 })).toMatchObject({ jobs: [], next_before: null });
  expect((await list({ before: 9_000_000 })).jobs).toHaveLength(ids.length);
  for (const query of ['kind=backups', 'status=ended', 'before=x', 'before=0', 'limit=201', 'schedule_id=-1'])
    expectRefusal(await api.get(`/api/jobs?${query}`), 400, new RegExp(query.split('=')[0] ?? ''));
  for (const path of ['/api/jobs/4711', '/api/jobs/4711/log', '/api/jobs/4711/log/download'])
    expectRefusal(await api.get(path), 404, /no job 4711/);
  expectRefusal(await api.post('/api/jobs/4711/cancel'), 404, /no job 4711/);
  expectRefusal(await api.get('/api/jobs/first'), 400);
  expectRefusal(await api.post(`/api/jobs/${ids[0]}/cancel`), 400, /has ended/);
});

test('streams progress on request from any instance, and cancels jobs', async () => {
  const [plain, withProgress] = [await follow(other), await follow(other, 'progress=1&kinds=job_ended')];
  held.hold();
  const running = await startBackup(api, busy.path);
  await held.reached();
  const compact = (await api.post(`/api/repositories/${busy.id}/compact`, {})).body.job_id as number;
  const view = async (id: number, as = api) => (await as.get(`/api/jobs/${id}`)).body.job;
  const progress = await nextOf(withProgress, ({ data }) => data.progress_details.current_file !== '');
  expect(progress).toMatchObject({
    kind: 'job_progress',
    data: { job_id: running, kind: 'backup', repository_id: busy.id, schedule_id: null },
  });
  // Without an id, so that a client continues after the last event.
  expect(progress.id).toBeNaN();

  expect(await view(compact)).toMatchObject({
    status: 'pending',
    cancellable: true,
    waiting_for: expect.stringContaining(`backup job ${running}`),
    waiting_for_code: 'waiting_for_job',
    waiting_for_params: { kind: 'backup', job: running, repository: 'busy' },
  });
  expect(await view(compact, guest)).toMatchObject({ status: 'pending', cancellable: false });
  expectRefusal(await guest.post(`/api/jobs/${compact}/cancel`), 403, /administrator/);
  expect((await api.post(`/api/jobs/${compact}/cancel`)).body).toMatchObject({
    message: `The compact job ${compact} of repository busy was cancelled.`,
    process_terminated: false,
  });
  expect(await view(running, guest)).toMatchObject({ status: 'running', cancellable: true });
  const cancelled = await other.api.as(guest.token).post(`/api/jobs/${running}/cancel`);
  expect(cancelled.body).toMatchObject({ success: true, process_terminated: true });
  expect(await view(running)).toMatchObject({
    status: 'cancelled',
    cancel_requested: true,
    about: { archive: null },
  });

  for (const id of [compact, running]) {
    const end = await nextOf(withProgress, ({ kind }) => kind === 'job_ended');
    expect(end.data).toMatchObject({
      job_id: id,
      repository_id: busy.id,
      data: { status: 'cancelled', error_message: expect.stringContaining('Cancelled') },
    });
  }
  const kinds = new Set<string>();
  for (let ends = 0; ends < 2; ) {
    const event = await plain.next();
    if (event?.kind === 'job_ended') ends += 1;
    kinds.add(event?.kind ?? 'none');
  }
  expect(kinds).not.toContain('job_progress');
}, 240_000);

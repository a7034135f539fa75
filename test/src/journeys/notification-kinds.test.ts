import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, endedJob, type Repository, runningJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { AppriseServer } from '../services/apprise.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import { SmtpSink } from '../services/smtp-sink.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let apprise: AppriseServer;
let server: TestServer;
let api: Api;
/** Told by webhook, by Apprise as a form, and by Apprise as mail. */
let hook: HttpSink;
let form: HttpSink;
let mail: SmtpSink;
/** Of settings that switch every kind off. */
let silent: HttpSink;

const flags = [
  ...['notify_on_backup_start', 'notify_on_backup_success', 'notify_on_backup_failure'],
  ...['notify_on_restore_success', 'notify_on_restore_failure'],
  ...['notify_on_check_success', 'notify_on_check_failure', 'notify_on_schedule_failure'],
];
const all = (value: boolean) => Object.fromEntries(flags.map((flag) => [flag, value]));

beforeAll(async () => {
  apprise = await AppriseServer.start();
  mail = await SmtpSink.open();
  [hook, form, silent] = await Promise.all([HttpSink.open(), HttpSink.open(), HttpSink.open()]);
  server = await TestServer.start({ env: { APPRISE_API_URL: apprise.url } });
  api = await server.login();
  const smtp = `smtp=127.0.0.1&port=${mail.port}&mode=insecure&to=ops@home.test&from=me@home.test`;
  const told = { title_prefix: '[home]', include_job_name_in_title: true, ...all(true) };
  await setting({ service_url: webhookUrl(hook), ...told });
  await setting({ service_url: `form://${form.host}/told`, ...told });
  await setting({ service_url: `mailto://home.test?${smtp}`, ...told });
  await setting({ service_url: webhookUrl(silent), ...all(false) });
  await setting({ service_url: `form://${silent.host}/off`, ...all(false) });
  await setting({ service_url: webhookUrl(silent, '/disabled'), ...all(true), enabled: false });
  await setting({ service_url: webhookUrl(silent, '/none'), ...all(true), monitor_all_repositories: false });
});
afterAll(async () => {
  await server?.remove();
  await Promise.all([apprise?.stop(), hook?.close(), form?.close(), silent?.close(), mail?.close()]);
});

async function setting(input: object): Promise<void> {
  const answer = await api.post('/api/notifications', { name: 'a setting', ...input });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
}

let count = 0;
async function repository(input: object = {}): Promise<Repository> {
  count += 1;
  const source = server.workspace.folder(`source-${count}`);
  makeFiles(source, 10);
  const path = join(server.workspace.path, `repository-${count}`);
  return createRepository(api, { name: `home ${count}`, path, source_directories: [source], ...input });
}

interface Kind {
  event: string;
  /** Makes it happen, for real. */
  provoke(): Promise<unknown>;
  title: string;
  type: 'info' | 'success' | 'warning' | 'failure';
  /** What the body says, in this order. */
  body: RegExp;
}

const kinds: Kind[] = [
  {
    event: 'backup_start',
    provoke: async () => backUp(api, (await repository()).path),
    title: '[home] 🚀 Backup Started',
    type: 'info',
    body: /Archive: .*\nRepository: home \d+\nLocation: \/.*\nSources:\n• \/.*\n[\s\S]*Started at .* UTC/,
  },
  {
    event: 'backup_success',
    provoke: async () => backUp(api, (await repository()).path),
    title: '[home] ✅ Backup Successful',
    type: 'success',
    body: /Repository: home \d+\n[\s\S]*Original Size: .*\n[\s\S]*Deduplicated: .*\nDuration: \d+s\n\nCompleted at .* UTC/,
  },
  {
    event: 'backup_warning',
    provoke: async () => {
      const { path } = await repository({
        source_directories: [server.workspace.folder('half'), '/no/such/folder'],
      });
      return backUp(api, path);
    },
    title: '[home] ⚠️ Backup Completed with Warnings',
    type: 'warning',
    body: /Repository: home \d+\n[\s\S]*Warning: .*\/no\/such\/folder[\s\S]*What to do next: .*\n\nCompleted at/,
  },
  {
    event: 'backup_failure',
    provoke: async () => {
      const { path } = await repository();
      rmSync(path, { recursive: true });
      return backUp(api, path);
    },
    title: '[home] ❌ Backup Failed',
    type: 'failure',
    body: /Repository: home \d+\nLocation: \/.*\nJob ID: \d+\n\nError: .+\n\nWhat to do next: .*\n\nFailed at/,
  },
  {
    event: 'backup_failure',
    provoke: async () => {
      const source = server.workspace.folder('large');
      makeRandomFiles(source, 8, 16);
      const { path } = await repository({ source_directories: [source], compression: 'zlib,9' });
      const job = await startBackup(api, path);
      await runningJob(api, job);
      expect((await api.post(`/api/backup/cancel/${job}`)).status).toBe(200);
      return endedJob(api, job);
    },
    title: '[home] ❌ Backup Failed',
    type: 'failure',
    body: /Job ID: \d+\n\nError: .*cancel[\s\S]*No archive was made/i,
  },
  {
    event: 'schedule_failure',
    provoke: async () => {
      const { id } = await repository();
      const cron_expression = '0 0 1 1 *';
      const made = await api.post('/api/schedule/', { name: 'nightly', cron_expression, repository_id: id });
      expect(made.status).toBe(201);
      expect((await api.delete(`/api/repositories/${id}`)).status).toBe(200);
    },
    title: '[home] nightly: ❌ Scheduled Backup Failed',
    type: 'failure',
    body: /Schedule: nightly\n[\s\S]*Error: .+\n\nWhat to do next: .*\n\nFailed at/,
  },
];

interface Told {
  title: string;
  body: string;
  type: string;
  event?: string;
}

const byHook = () => hook.requests.map(({ body }) => JSON.parse(body) as Told);
const byForm = (): Told[] =>
  form.requests.map(({ body }) => {
    const fields = new URLSearchParams(body);
    const field = (name: string) => fields.get(name) ?? '';
    return { title: field('title'), body: field('message'), type: field('type') };
  });

test.each(kinds)(
  '$event is told by webhook, form and mail',
  async ({ event, provoke, title, type, body }) => {
    const before = hook.requests.length;
    await provoke();
    const told = await waitFor(
      () =>
        byHook()
          .slice(before)
          .findLast((one) => one.event === event),
      {
        ...{ what: `the webhook of ${event}`, timeoutMs: 20_000 },
      },
    );
    expect(told).toMatchObject({ title, type, body: expect.stringMatching(body) });
    const same = () => byForm().find((one) => one.body === told.body);
    expect(await waitFor(same, { what: `the form of ${event}`, timeoutMs: 20_000 })).toMatchObject({
      title,
      type,
    });
    const letter = () => mail.mails.find(({ subject, text }) => subject === title && ofSame(told, text));
    expect(await waitFor(letter, { what: `the mail of ${event}`, timeoutMs: 20_000 })).toMatchObject({
      ...{ from: 'me@home.test', to: ['ops@home.test'] },
    });
  },
);

/** The last line has the time, and the second one of a table the archive, the repository or the schedule. */
function ofSame({ body }: Told, text: string): boolean {
  const [first = '', second = ''] = body.split('\n');
  const shown = [
    body.split('\n').at(-1) ?? '',
    ...[first, second].map((line) => line.replace(/^[^:]*: */, '')),
  ];
  return text.includes('<!DOCTYPE html>') && shown.every((words) => text.includes(`>${words}<`));
}

test('what is switched off, or about other repositories, is told to nobody', async () => {
  await waitFor(() => form.requests.length === hook.requests.length, {
    what: 'all forms',
    timeoutMs: 20_000,
  });
  expect(silent.requests).toEqual([]);
});

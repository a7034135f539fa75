import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { AppriseServer } from '../services/apprise.js';
import { HttpSink, replyWith } from '../services/http-sink.js';
import { SmtpSink } from '../services/smtp-sink.js';
import { Authority, type Certificate, TlsSink } from '../services/tls-sink.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const secret = 'S3same-0pen-4711';
let apprise: AppriseServer;
let sink: HttpSink;
let post: SmtpSink;
let server: TestServer;
let api: Api;
const ntfy = fileURLToPath(new URL('../../../examples/notify-ntfy', import.meta.url));
const trusted = new Authority();
const unknown = new Authority();

beforeAll(async () => {
  [apprise, sink, post] = await Promise.all([AppriseServer.start(), HttpSink.open(), SmtpSink.open()]);
  const env = { APPRISE_API_URL: apprise.url, NODE_EXTRA_CA_CERTS: trusted.file, PLUGINS: ntfy };
  server = await TestServer.start({ driver: 'memory', env });
  api = await server.login();
});
afterAll(async () => {
  await server?.remove();
  await Promise.all([apprise?.stop(), sink?.close(), post?.close()]);
  for (const authority of [trusted, unknown]) authority.remove();
});

const tryOut = async (service_url: string) => {
  const { status, body } = await api.post('/api/notifications/test', { service_url });
  expect(status).toBe(200);
  return body as { success: boolean; message: string };
};

test.each<[string, Authority, Certificate, RegExp | null]>([
  ['of a trusted authority', trusted, 'good', null],
  ['that has expired', trusted, 'expired', /has a certificate that has expired/],
  ['for another host', trusted, 'other-host', /has a certificate for another host name/],
  ['of an unknown authority', unknown, 'good', /does not trust; add its authority with NODE_EXTRA_CA_CERTS/],
])('handles a receiver with a certificate %s', async (_, authority, kind, reason) => {
  const receiver = await TlsSink.open(authority.issue(kind));
  try {
    const url = `jsons://ada:${secret}@127.0.0.1:${receiver.port}/hook`;
    const { success, message } = await tryOut(url);
    expect({ success, message }).toMatchObject({
      success: reason === null,
      message: expect.stringMatching(reason ?? /sent/),
    });
    expect(receiver.bodies).toHaveLength(reason === null ? 1 : 0);
    expect(await tryOut(`${url}?verify=no`)).toMatchObject({ success: true });
  } finally {
    await receiver.close();
  }
});

test.each([
  'json://169.254.169.254/latest/meta-data',
  'json://[fe80::1]/',
  'json://[::ffff:169.254.169.254]/',
])('refuses %s as a receiver', async (service_url) => {
  const detail = /link-local or metadata address; to allow it, add its network to NOTIFY_ALLOWED_NETWORKS/;
  expect(await tryOut(service_url)).toMatchObject({
    success: false,
    message: expect.stringMatching(detail),
  });
  const refused = await api.post('/api/notifications', { name: 'inside', service_url });
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(detail)]);
});

test('sends a message through Apprise to a form and to a mailbox', async () => {
  expect(await tryOut(`form://ada:${secret}@${sink.host}/a,b%20c/`)).toMatchObject({ success: true });
  const form = sink.requests.at(-1);
  expect(form?.path).toBe('/a%2Cb%20c/');
  expect(form?.headers.authorization).toBe(`Basic ${btoa(`ada:${secret}`)}`);
  const fields = new URLSearchParams(form?.body);
  expect(fields.get('title')).toMatch(/test notification/);
  expect(fields.get('type')).toBe('info');
  const smtp = `smtp=127.0.0.1&port=${post.port}&mode=insecure`;
  const to = 'to=ops@home.test,boss@home.test&from=holdfast@home.test';
  expect(await tryOut(`mailto://home.test?${smtp}&${to}&via=apprise`)).toMatchObject({ success: true });
  const mails = await post.taken(2);
  expect(mails.flatMap((mail) => mail.to).toSorted()).toEqual(['boss@home.test', 'ops@home.test']);
});

test('sends directly to known services and passes other URLs to Apprise', async () => {
  const before = post.mails.length;
  const smtp = `smtp=127.0.0.1&port=${post.port}&mode=insecure&from=holdfast@home.test`;
  expect(await tryOut(`mailto://home.test?${smtp}&to=ops@home.test,boss@home.test`)).toMatchObject({
    success: true,
  });
  expect(post.mails.slice(before)).toMatchObject([{ to: ['ops@home.test', 'boss@home.test'] }]);
  expect(await tryOut('slack://xoxb-1-2-3/general')).toMatchObject({
    success: false,
    message: expect.stringMatching(/^The Apprise server/),
  });
});

test('keeps an earlier channel on Apprise until its URL changes', async () => {
  const smtp = `smtp=127.0.0.1&port=${post.port}&mode=insecure&from=holdfast@home.test`;
  const service_url = `mailto://home.test?${smtp}&to=ops@home.test,boss@home.test`;
  const { body } = await api.post('/api/notifications', {
    name: 'old',
    service_url,
    notify_on_backup_success: true,
  });
  const database = await server.database();
  await database.all('UPDATE notification_setting SET apprise_first = ? WHERE id = ?', true, body.id);
  const source = server.workspace.folder('source');
  makeFiles(source, 3);
  const path = join(server.workspace.path, 'repository');
  await createRepository(api, { name: 'home', path, source_directories: [source] });
  const mailsOf = async () => {
    const before = post.mails.length;
    await backUp(api, path);
    const isDelivered = async () => {
      const { deliveries } = (await api.get(`/api/notifications/${body.id}/deliveries`)).body;
      return deliveries.every(({ status }: { status: string }) => status === 'delivered');
    };
    await waitFor(isDelivered, { what: 'the delivery', timeoutMs: 60_000 });
    return post.mails.length - before;
  };
  // Apprise sends one mail to each recipient, Holdfast one mail to both.
  expect(await mailsOf()).toBe(2);
  await api.put(`/api/notifications/${body.id}`, { name: 'still old', service_url });
  expect(await mailsOf()).toBe(2);
  await api.put(`/api/notifications/${body.id}`, { service_url: `${service_url}&name=Backups` });
  expect(await mailsOf()).toBe(1);
});

test('prefers an added plugin to the built-in service and to Apprise', async () => {
  expect(await tryOut(`ntfy://${sink.host}/backups`)).toMatchObject({ success: true });
  expect(sink.requests.at(-1)).toMatchObject({
    path: '/backups',
    body: expect.stringMatching(/test notification\n\n\w/),
  });
});

test.each([
  ['nonsense://host/path', /does not recognise this URL/],
  ['https://home.test/hook', /does not recognise this URL/],
  ['syslog://', /./],
])('refuses %s with a helpful error', async (url, reason) => {
  expect(await tryOut(url)).toMatchObject({ success: false, message: expect.stringMatching(reason) });
});

test('reports a refusal behind Apprise without secrets', async () => {
  sink.answer = replyWith(401);
  const { success, message } = await tryOut(`form://ada:${secret}@${sink.host}/${secret}`);
  sink.answer = replyWith(200);
  expect(success).toBe(false);
  expect(message).toMatch(/could not deliver the message: .*401/);
  expect(message).not.toContain(secret);
});

test('names an unreachable Apprise server and reports it in the plugin health', async () => {
  const health = async () => {
    const { body } = await api.get('/api/plugins');
    const all = JSON.stringify(body);
    return all.includes('The Apprise server refuses the connection');
  };
  expect(await health()).toBe(false);
  await apprise.stop();
  expect(await tryOut(`form://${sink.host}/`)).toMatchObject({
    success: false,
    message: 'The Apprise server refuses the connection.',
  });
  expect(await health()).toBe(true);
});

test('logs no secret', () => {
  expect(server.log).toContain('could not send a notification');
  expect(server.log).not.toContain(secret);
});

test('refuses schemes of Apprise without a server, and names it', async () => {
  const plain = await TestServer.start({ driver: 'memory' });
  try {
    const input = { name: 'matrix', service_url: `matrix://ada:${secret}@home.test` };
    const refused = await (await plain.login()).post('/api/notifications', input);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(/APPRISE_API_URL/)]);
    expect(refused.text).not.toContain(secret);
  } finally {
    await plain.remove();
  }
});

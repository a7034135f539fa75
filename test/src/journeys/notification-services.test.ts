import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceUrl } from '@holdfast/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MailServer } from '../../../plugins/notify-mail/test/mail-server.js';
import { asService, type Fake, fakes } from '../../../plugins/notify-transport/test/fakes.js';
import { backUp, createRepository } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { HttpSink } from '../services/http-sink.js';
import { Authority } from '../services/tls-sink.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

type Service = keyof typeof fakes | 'mail';
const services = [...Object.keys(fakes), 'mail'] as Service[];
/** What a person puts into the form of each service. */
const filled: Record<Service, (host: string) => Record<string, string>> = {
  telegram: () => ({ token: fakes.telegram.token, chat: '-1001234567890', silent: 'no' }),
  discord: () => ({ webhook_id: '123456789012345678', token: fakes.discord.token }),
  slack: () => ({ workspace: 'T00000000', webhook: 'B00000000', token: fakes.slack.token }),
  gotify: (host) => ({ scheme: 'gotify', host, token: fakes.gotify.token, priority: '7' }),
  pushover: () => ({ user: 'uexampleofauserkey000000000000', token: fakes.pushover.token }),
  ntfy: (host) => ({ scheme: 'ntfy', host, topic: 'backups-4712', token: fakes.ntfy.token }),
  mail: (host) => ({
    host,
    user: 'ada@mail.test',
    password: 'sesame-4711',
    from: 'ada@mail.test',
    to: 'ops@mail.test,boss@mail.test',
    mode: 'starttls',
  }),
};
const wrong: Record<Service, [Record<string, string>, RegExp]> = {
  telegram: [{ token: '987654321:AAwrong-4711' }, /^Telegram rejected the bot token\. Create a new one/],
  discord: [{ token: 'wrong-4711-token' }, /^Discord rejected the webhook .* Create a new one/],
  slack: [{ token: 'wrong4711token' }, /^Slack rejected the webhook .* Add a new one/],
  gotify: [{ token: 'Awrong.4711-tok' }, /^Gotify rejected the token\. Copy the token of an application/],
  pushover: [{ token: 'awrong4711token000000000000000' }, /^Pushover rejected the application token\. Copy/],
  ntfy: [{ token: 'tk_wrong4711token' }, /^ntfy rejected the access token .* Create a new token/],
  mail: [
    { password: 'wrong-4711-pass' },
    /^127\.0\.0\.1 rejected the user name or the password\. .* update the URL/,
  ],
};

const authority = new Authority();
const sinks = new Map<Service, HttpSink>();
let mail: MailServer;
let server: TestServer;
let api: Api;
let forms: { service: string; schemes: string[]; template: string; fields: { name: string }[] }[];

beforeAll(async () => {
  const env: Record<string, string> = { NODE_EXTRA_CA_CERTS: authority.file };
  for (const [service, fake] of Object.entries(fakes) as [Service, Fake][]) {
    const sink = await HttpSink.open();
    sink.answer = asService(fake);
    sinks.set(service, sink);
    for (const value of Object.values(fake.configuration(sink.host))) {
      env[`PLUGIN_NOTIFY_${service.toUpperCase()}_API_URL`] = String(value);
    }
  }
  mail = await MailServer.open(authority.issue('good'));
  server = await TestServer.start({ driver: 'memory', env });
  api = await server.login();
  forms = (await api.get('/api/notifications/services')).body;
});
afterAll(async () => {
  await server?.remove();
  await mail?.close();
  await Promise.all([...sinks.values()].map((sink) => sink.close()));
  authority.remove();
});

const hostOf = (service: Service) => sinks.get(service)?.host ?? mail.host;
function urlOf(service: Service, changes: Record<string, string> = {}): string {
  const form = forms.find((each) => each.service === service);
  if (!form) throw new Error(`${service} is not listed`);
  return serviceUrl(form, { ...filled[service](hostOf(service)), ...changes });
}
const tryOut = async (service_url: string) =>
  (await api.post('/api/notifications/test', { service_url })).body;

test('lists every service with its fields, even to users', async () => {
  expect(forms.map(({ service }) => service).toSorted()).toEqual([...services, 'webhook'].toSorted());
  for (const service of services) {
    const form = forms.find((each) => each.service === service);
    const known = [...(form?.fields ?? []).map(({ name }) => name), 'scheme'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(filled[service]('host'))));
  }
  const password = 'a password of ten letters';
  await api.post('/api/auth/users', { username: 'ann', password });
  const ann = await server.login('ann', password);
  expect((await ann.get('/api/notifications/services')).status).toBe(200);
});

test.each(services)('%s takes a test message', async (service) => {
  expect(await tryOut(urlOf(service))).toMatchObject({
    success: true,
    message: 'The test notification was sent.',
  });
});

test.each(services)('%s: explains a wrong token or password', async (service) => {
  const [changes, sentence] = wrong[service];
  const { success, message } = await tryOut(urlOf(service, changes));
  expect([success, message]).toEqual([false, expect.stringMatching(sentence)]);
  for (const secret of Object.values(changes)) expect(message).not.toContain(secret);
});

test('notifies all of a failed backup, and names those with a wrong token', async () => {
  for (const service of services) {
    const [changes] = wrong[service];
    for (const service_url of [urlOf(service), urlOf(service, changes)]) {
      const answer = await api.post('/api/notifications', { name: service, service_url });
      expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
    }
  }
  const source = server.workspace.folder('source');
  makeFiles(source, 3);
  const name = 'home <!channel> @everyone';
  const input = { name, path: join(server.workspace.path, 'repository'), source_directories: [source] };
  const { path } = await createRepository(api, input);
  rmSync(path, { recursive: true });
  expect(await backUp(api, path)).toMatchObject({
    status: 'failed',
    error_code: 'tool_repository_missing',
  });

  const settings: { id: number; name: Service }[] = (await api.get('/api/notifications')).body;
  const deliveriesOf = async (id: number) =>
    (await api.get(`/api/notifications/${id}/deliveries`)).body.deliveries;
  const ended = async () => {
    const all = await Promise.all(settings.map(({ id }) => deliveriesOf(id)));
    return all.every(([first]) => first && ['delivered', 'parked'].includes(first.status));
  };
  await waitFor(ended, { what: 'the end of all deliveries', timeoutMs: 60_000 });
  for (const service of services) {
    const [good, bad] = settings.filter((setting) => setting.name === service);
    // Newer ones tell of the channels that could not be reached.
    expect((await deliveriesOf(good?.id ?? 0)).at(-1)).toMatchObject({ status: 'delivered', attempts: 1 });
    const [, sentence] = wrong[service];
    const failure = { last_error: expect.stringMatching(sentence), last_error_code: 'delivery_failed' };
    const parked = { status: 'parked', attempts: 1, ...failure };
    expect((await deliveriesOf(bad?.id ?? 0)).at(-1)).toMatchObject(parked);
  }
  for (const sink of sinks.values()) {
    const told = sink.requests.map(({ body }) => decodeURIComponent(body.replaceAll('+', ' ')));
    expect(told.filter((text) => /Backup failed/.test(text) && /home .*channel/.test(text))).not.toEqual([]);
  }
  const failed = mail.received.find(({ mail: { subject } }) => subject?.includes('Backup failed'));
  expect(failed).toMatchObject({ isEncrypted: true, to: ['ops@mail.test', 'boss@mail.test'] });
  expect(failed?.mail.html).toContain('home &lt;!channel&gt; @everyone');
  expect(failed?.mail.text).toContain('home <!channel> @everyone');
});

test('logs no token', () => {
  expect(server.log).toContain('could not send a notification');
  for (const service of services) {
    const [changes] = wrong[service];
    for (const secret of Object.values(changes)) expect(server.log).not.toContain(secret);
  }
  for (const { token } of Object.values(fakes)) expect(server.log).not.toContain(token);
  expect(server.log).not.toContain('sesame-4711');
});

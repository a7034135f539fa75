import type { Api } from '../api.js';
import { type HttpSink, replyWith } from '../services/http-sink.js';
import { expectStatus } from './drive-accounts.js';
import type { LeakWorld } from './leak-world.js';

/** A receiver that says everything again that it was sent, as some do in their errors. */
const echo =
  (code: number): HttpSink['answer'] =>
  (response, { path, headers, body }) =>
    void response
      .writeHead(code, { 'content-type': 'text/plain' })
      .end(JSON.stringify({ path, headers, body }));

const everything = Object.fromEntries(
  ['backup_start', 'backup_success', 'restore_success', 'check_success'].map((kind) => [
    `notify_on_${kind}`,
    true,
  ]),
);

/** Settings of all kinds of transports, whose receivers take messages, refuse them, or are away. */
export async function driveNotifications(
  world: LeakWorld,
  { api, sink }: { api: Api; sink: HttpSink },
): Promise<void> {
  const local = localUrls(world, sink);
  for (const [name, service_url] of Object.entries(local)) {
    const options = { headers: { 'idempotency-key': `setting-${name}` } };
    const input = { name, service_url, ...everything };
    expectStatus(await api.post('/api/notifications', input, options), 201);
    expectStatus(await api.post('/api/notifications', input, options), 201);
  }
  for (const answer of [replyWith(200), echo(500), echo(401), echo(307)]) {
    sink.answer = answer;
    const test = (service_url: string) => api.post('/api/notifications/test', { service_url });
    for (const told of await Promise.all(Object.values(local).map(test))) expectStatus(told, 200);
  }
  sink.answer = echo(400);
  const odd = [
    `json://${world.book.plant('a token of no host', 'service_url')}:x/%zz`,
    'jsons://',
    'nothing://x',
  ];
  for (const service_url of odd) await api.post('/api/notifications/test', { service_url });
}

/** Variables that lead messages for services in the world to a sink. */
export const chatServices = ({ host }: HttpSink): Record<string, string> =>
  Object.fromEntries(
    ['TELEGRAM', 'SLACK', 'DISCORD', 'PUSHOVER'].map((name) => [
      `PLUGIN_NOTIFY_${name}_API_URL`,
      `http://${host}`,
    ]),
  );

function localUrls({ book }: LeakWorld, { host }: HttpSink): Record<string, string> {
  const secret = (name: string) => book.plant(name, 'service_url');
  const options = [
    `+X-Token=${secret('the header of a webhook')}`,
    `-key=${secret('the query of a webhook')}`,
    `:field=${secret('the field of a webhook')}`,
  ];
  const mail = 'to=ops@home.test&from=me@home.test&mode=insecure';
  const login = (name: string) => `user:${secret(`the password of ${name}`)}`;
  return {
    webhook: `json://${login('a webhook')}@${host}/${secret('the path of a webhook')}?${options.join('&')}`,
    form: `form://${login('a form')}@${host}/${secret('the path of a form')}`,
    gotify: `gotify://${host}/${secret('the token of gotify')}`,
    gotifyByApprise: `gotify://${host}/${secret('another token of gotify')}?via=apprise`,
    ntfy: `ntfy://${login('ntfy')}@${host}/${secret('the topic of ntfy')}`,
    // Nobody listens there.
    mail: `mailto://${login('mail')}@127.0.0.1:1/?${mail}`,
    mailByApprise: `mailto://${login('mail by Apprise')}@127.0.0.1:1/?${mail}&via=apprise`,
    // `chatServices` leads these to the sink.
    telegram: `tgram://123456789:${secret('the token of telegram')}/12315544/`,
    slack: `slack://T1JJ3T3L2/A1BRTD4JD/${secret('the token of slack')}`,
    discord: `discord://4174216298/${secret('the token of discord')}`,
    pushover: `pover://${secret('the user of pushover')}@${secret('the token of pushover')}`,
  };
}

/** What became of the messages, again, and without their settings. */
export async function driveDeliveries(api: Api): Promise<void> {
  const settings = expectStatus(await api.get('/api/notifications'), 200).body as { id: number }[];
  for (const { id } of settings) {
    const { body } = expectStatus(await api.get(`/api/notifications/${id}/deliveries`), 200);
    for (const { id: delivery } of body.deliveries.slice(0, 2)) {
      expectStatus(await api.post(`/api/notifications/${id}/deliveries/${delivery}/resend`), 200);
    }
    expectStatus(await api.put(`/api/notifications/${id}`, { title_prefix: '[home]' }), 200);
  }
  const last = settings.at(-1)?.id;
  expectStatus(await api.delete(`/api/notifications/${last}`), 204);
}

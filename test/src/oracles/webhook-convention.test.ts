import webhook from '@holdfast/notify-webhook';
import type { NotificationMessage } from '@holdfast/plugin-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppriseServer } from '../services/apprise.js';
import { HttpSink, type SinkRequest } from '../services/http-sink.js';

let library: AppriseServer;
let sink: HttpSink;

beforeAll(async () => {
  [library, sink] = await Promise.all([AppriseServer.start(), HttpSink.open()]);
});
afterAll(async () => {
  await library?.stop();
  await sink?.close();
});

const message: NotificationMessage = {
  id: 'evt-1',
  title: 'Title',
  body: 'Body',
  format: 'text',
  type: 'warning',
  event: 'test',
  timestamp: '2030-01-02T03:04:05.678Z',
  data: {},
};

async function byLibrary(urls: string): Promise<void> {
  const body = JSON.stringify({ urls, title: message.title, body: message.body, type: message.type });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${library.url}/notify`, { method: 'POST', headers, body });
  expect(`${answer.status} ${await answer.text()}`).toMatch(/^200 /);
}

const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };

async function byOurs(url: string): Promise<void> {
  const context = { log, clock: { now: Date.now }, dataFolder: '/nowhere', fetch };
  const transport = await webhook.create({ ...context, configuration: { allowedNetworks: [] } });
  await transport.send(url, message, { signal: AbortSignal.timeout(10_000) });
}

const names = ['authorization', 'content-type', 'x-key', 'x-other'];

/** What both must agree on; the fields of the body that are our own names are another matter. */
function convention({ method, path, headers, body }: SinkRequest) {
  const { title, type, room, subject } = JSON.parse(body);
  const said = names.map((name) => [name, headers[name]]);
  return { method, path: path.replace(/%20/g, '+'), headers: said, body: { title, type, room, subject } };
}

test.each([
  'HOST',
  'HOST/',
  'HOST/a/path',
  'HOST/a/path/',
  'HOST/a%20path',
  'ada:secret@HOST/x',
  'ada:s%40e%3Ac%25ret@HOST/x',
  'HOST/?+X-Key=value&+X-Other=other',
  'HOST/?%2BX-Key=value',
  'HOST/?+X-Key=a%20b%26c+d',
  'HOST/?+Content-Type=text/plain',
  'HOST/?-q=1&-r=a%20b',
  'HOST/a?unknown=1&-q=1',
  'HOST/?:room=kitchen&:title=subject',
  'HOST/?:title=&:room=k',
  'HOST/?method=PUT',
  'HOST/?method=delete&+X-Key=1;+X-Other=2',
])('%s means the same to the notification library', async (form) => {
  const url = `json://${form.replace('HOST', sink.host)}`;
  const before = sink.requests.length;
  await byLibrary(url);
  await byOurs(url);
  const [theirs, ours] = sink.requests.slice(before);
  if (!theirs || !ours) throw new Error('two requests should have come');
  expect(convention(ours)).toEqual(convention(theirs));
});

import assert from 'node:assert/strict';
import type { ConformanceCase } from '../case.js';
import { assertCarries } from './arrived.js';
import {
  caseWith,
  isRetryable,
  type NotifierSuiteOptions,
  patience,
  rejection,
  type Scene,
  sample,
  within,
} from './harness.js';
import { replyWith, type SinkAnswer } from './sink.js';

type Work = (scene: Scene) => Promise<void>;

/** Core retries in order and with pauses; a transport that retries by itself would break both. */
const once = ({ sink }: Scene) =>
  assert.equal(sink.requests.length, 1, `it sent ${sink.requests.length} requests for one attempt`);

const cases: [string, Work][] = [
  [
    'an answer of 500 is a retryable failure',
    async (scene) => {
      scene.sink.answer = replyWith(500);
      const error = await rejection(scene.send(), 'an answer of 500');
      assert.ok(isRetryable(error), 'it reported a permanent failure');
      once(scene);
    },
  ],
  [
    'an answer of 400 is a permanent failure',
    async (scene) => {
      scene.sink.answer = replyWith(400, 'no');
      const error = await rejection(scene.send(), 'an answer of 400');
      assert.ok(!isRetryable(error), 'it reported a retryable failure');
      once(scene);
    },
  ],
  [
    'an unreachable receiver is a retryable failure, and it may come back',
    async ({ sink, send }) => {
      await send();
      await sink.close();
      const error = await rejection(send(), 'no receiver');
      assert.ok(isRetryable(error), 'it reported a permanent failure');
      await sink.reopen();
      await send({ ...sample, body: 'here again' });
      assertCarries(sink.requests.at(-1), 'here again', 'the body');
    },
  ],
  [
    'a connection that closes without an answer is a retryable failure',
    (scene) => closing(scene, (response) => void response.socket?.destroy()),
  ],
  [
    'a connection that closes in the middle of the answer is a retryable failure',
    (scene) => closing(scene, (response) => void response.socket?.end('HTTP/1.1 200 OK\r\nContent-Le')),
  ],
  [
    'an answer that is not HTTP is a retryable failure',
    (scene) => closing(scene, (response) => void response.socket?.end('220 mail.example ESMTP\r\n')),
  ],
  [
    'a request to a hanging receiver ends as soon as the caller aborts it',
    async ({ sink, send }) => {
      let left = (): void => undefined;
      const leaving = new Promise<void>((resolve) => {
        left = resolve;
      });
      sink.answer = (response) => void response.on('close', left);
      const giveUp = new AbortController();
      const sending = rejection(send(sample, giveUp.signal), 'an abort');
      await sink.taken(1);
      const began = Date.now();
      giveUp.abort();
      await Promise.all([sending, within('the end of the request', () => leaving)]);
      assert.ok(Date.now() - began < 2_000, `it continued for ${Date.now() - began} ms`);
    },
  ],
  [
    'a message that was aborted before the start is not sent',
    async ({ sink, send }) => {
      await rejection(send(sample, AbortSignal.abort()), 'an abort');
      assert.equal(sink.requests.length, 0, 'it was sent');
    },
  ],
];

/** An error text may reach people who must not see the service URL. */
const discretion: [string, SinkAnswer][] = [
  ['of 500 that repeats the request', (response, request) => echo(500)(response, request)],
  ['of 400 that repeats the request', (response, request) => echo(400)(response, request)],
  ['that never comes', (response) => void response.socket?.destroy()],
];

const echo =
  (code: number): SinkAnswer =>
  (response, { method, path, headers, body }) =>
    void response.writeHead(code).end(`${method} ${path} ${JSON.stringify(headers)} ${body}`);

async function closing({ sink, send }: Scene, answer: SinkAnswer): Promise<void> {
  sink.answer = answer;
  const began = Date.now();
  const error = await rejection(send(), 'a closed connection');
  assert.ok(Date.now() - began < patience / 2, 'it did not notice that the connection closed');
  assert.ok(isRetryable(error), 'it reported a permanent failure');
}

export function failingCases(options: NotifierSuiteOptions): ConformanceCase[] {
  return [
    ...cases.map(([name, work]) => caseWith(options, name, work)),
    ...discretion.map(([name, answer]) =>
      caseWith(options, `no secret is in the error after an answer ${name}`, async (scene) => {
        scene.sink.answer = answer;
        const error = await rejection(scene.send(), 'a failed attempt');
        assert.ok(error.message.length > 0, 'the error has no message');
        for (const secret of [scene.url, ...scene.secrets]) {
          assert.ok(
            !error.message.includes(secret),
            'the error text contains a secret of the service URL or of the configuration',
          );
        }
      }),
    ),
  ];
}

import { replyWith, Sink, type SinkAnswer } from '@holdfast/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refusal, send } from './webhook.js';

let sink: Sink;
let other: Sink;
beforeEach(async () => {
  [sink, other] = await Promise.all([Sink.open(), Sink.open()]);
});
afterEach(() => Promise.all([sink.close(), other.close()]));

const redirectTo =
  (location: string, code = 307): SinkAnswer =>
  (response) =>
    void response.writeHead(code, { location }).end();

it.each([200, 201, 202, 204, 299])('%i is a delivery', async (code) => {
  sink.answer = replyWith(code);
  await send(`json://${sink.host}`);
});

it.each([
  [400, false],
  [401, false],
  [403, false],
  [404, true],
  [408, true],
  [410, false],
  [413, false],
  [429, true],
  [500, true],
  [503, true],
  [303, false],
  [304, false],
])('%i fails the delivery; retryable: %s', async (code, retryable) => {
  sink.answer = replyWith(code, code === 304 ? '' : 'because\n\tso');
  const error = await refusal(`json://${sink.host}`);
  expect(error).toMatchObject({ name: 'DeliveryError', retryable });
  expect(error.message).toContain(`${sink.host} answered ${code}`);
  if (code !== 304) expect(error.message).toMatch(/: because so$/);
});

it.each([301, 302, 307, 308])('sends the message unchanged to the new address after %i', async (code) => {
  sink.answer = redirectTo(`http://${other.host}/new?a=b`, code);
  await send(`json://${sink.host}/old?method=PUT&-c=d`);
  const [request] = other.requests;
  expect(request).toMatchObject({ method: 'PUT', path: '/new?a=b', body: sink.requests[0]?.body });
  expect(request?.headers['idempotency-key']).toBe('evt-7-3');
});

it('sends secrets to the same host only', async () => {
  sink.answer = (response, request) =>
    request.path === '/one'
      ? redirectTo('/two')(response, request)
      : redirectTo(`http://ada:pw@${other.host}/three`)(response, request);
  await send(`json://ada:secret@${sink.host}/one?+X-Token=t`);
  expect(sink.requests.map(({ headers }) => [headers.authorization, headers['x-token']])).toEqual([
    ['Basic YWRhOnNlY3JldA==', 't'],
    ['Basic YWRhOnNlY3JldA==', 't'],
  ]);
  expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(other.requests[0]?.headers).not.toHaveProperty('x-token');
});

it.each([
  ['http://169.254.169.254/latest/meta-data', /at 169\.254\.169\.254, a link-local or metadata address/],
  ['http://[::ffff:a9fe:a9fe]/', /a link-local or metadata address/],
  ['http://2852039166/', /at 169\.254\.169\.254/],
  ['file:///etc/passwd', /a URL that is not HTTP/],
  ['http://[', /without a valid location/],
])('does not follow a redirect to %s', async (location, reason) => {
  sink.answer = redirectTo(location);
  expect((await refusal(`json://${sink.host}`)).message).toMatch(reason);
});

it('does not follow a redirect if the URL forbids it', async () => {
  sink.answer = redirectTo(`http://${other.host}/`);
  expect((await refusal(`json://${sink.host}?redirect=no`)).message).toContain('answered 307');
  expect(other.requests).toEqual([]);
});

it('stops after five redirects', async () => {
  sink.answer = redirectTo('/again', 301);
  expect((await refusal(`json://${sink.host}`)).message).toMatch(/redirects more than 5 times/);
  expect(sink.requests).toHaveLength(6);
});

it('stops after the timeout of the URL', async () => {
  sink.answer = () => undefined;
  const began = Date.now();
  const error = await refusal(`json://${sink.host}?rto=0.5`);
  expect(error).toMatchObject({ retryable: true });
  expect(error.message).toMatch(/did not respond in time/);
  expect(Date.now() - began).toBeLessThan(5_000);
});

it('masks parts of the URL in the answer, even where it is cut', async () => {
  const secret = 'sesame-'.repeat(9);
  sink.answer = (response, request) =>
    replyWith(500, `${'x'.repeat(290)}${secret} ${request.headers.authorization}`)(response, request);
  const { message } = await refusal(`json://ada:${secret}@${sink.host}`);
  expect(message).toContain('x***');
  expect(message).not.toContain('sesame');
});

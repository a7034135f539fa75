import { Sink } from '@holdfast/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { message, send } from './webhook.js';

let sink: Sink;
beforeEach(async () => {
  sink = await Sink.open();
});
afterEach(() => sink.close());

const sent = async (url: string) => {
  await send(url);
  const [request] = sink.requests.slice(-1);
  if (!request) throw new Error('nothing came');
  return { ...request, json: JSON.parse(request.body) };
};

it('posts JSON with a stable id', async () => {
  const { method, path, headers, json } = await sent(`json://${sink.host}`);
  expect([method, path]).toEqual(['POST', '/']);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Holdfast',
    'idempotency-key': 'evt-7-3',
    'x-holdfast-id': 'evt-7-3',
  });
  expect(headers).not.toHaveProperty('authorization');
  const { format: _, ...fields } = message;
  expect(json).toEqual(fields);
});

it('has the user, the password and the headers of the URL', async () => {
  const { headers } = await sent(`json://ada:s%40e%25t@${sink.host}/?+X-Key=k&+content-type=text/plain`);
  const basic = Buffer.from('ada:s@e%t').toString('base64');
  expect(headers).toMatchObject({
    authorization: `Basic ${basic}`,
    'x-key': 'k',
    'content-type': 'text/plain',
  });
});

it('has the query and the method of the URL', async () => {
  const { method, path } = await sent(`json://${sink.host}/a/b?-x=1&-y=a%20b&method=patch`);
  expect([method, path]).toEqual(['PATCH', '/a/b?x=1&y=a+b']);
});

it('renames, leaves out and adds fields', async () => {
  const { json } = await sent(`json://${sink.host}/?:body=text&:data=&:room=kitchen`);
  expect(json).toMatchObject({ text: message.body, room: 'kitchen', title: message.title });
  expect(json).not.toHaveProperty('body');
  expect(json).not.toHaveProperty('data');
});

it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('sends the body with %s too', async (method) => {
  const { json, ...request } = await sent(`json://${sink.host}/?method=${method}`);
  expect(request.method).toBe(method);
  expect(json.title).toBe(message.title);
});

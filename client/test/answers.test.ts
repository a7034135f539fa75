import { expect, expectTypeOf, test } from 'vitest';
import {
  answer,
  answerWithTag,
  downloadAddress,
  HoldfastError,
  ifMatch,
  type Schemas,
} from '../src/index.js';
import { baseUrl, fakeService, json } from './fake-service.js';

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it succeeded'),
    (error: HoldfastError) => error,
  );
const once = { attempts: 1 };

test('returns typed data', async () => {
  const { client } = fakeService([json({ job: { id: 7 } })]);
  const { job } = await answer(client.GET('/api/jobs/{job_id}', { params: { path: { job_id: 7 } } }));
  expectTypeOf(job).toEqualTypeOf<Schemas['JobView']>();
  expect(job).toEqual({ id: 7 });
});

test('returns undefined for an empty response', async () => {
  const { client } = fakeService([new Response(null, { status: 204 })]);
  const call = client.DELETE('/api/scripts/{script_id}', { params: { path: { script_id: 1 } } });
  expect(await answer(call)).toBeUndefined();
});

test('throws an error with all details of the server', async () => {
  const body = {
    detail: 'name must not be empty',
    code: 'field_empty',
    params: { field: 'name' },
    errors: [{ path: 'name', message: 'must not be empty' }],
  };
  const headers = { 'X-Request-Id': 'r1', 'Retry-After': '12' };
  const { client } = fakeService([json(body, 400, headers)]);
  const error = await failureOf(answer(client.GET('/api/overview')));
  expect(error).toBeInstanceOf(HoldfastError);
  expect(error).toMatchObject({
    ...body,
    message: body.detail,
    status: 400,
    retryAfter: 12,
    requestId: 'r1',
  });
});

test('throws an error for the page of a proxy', async () => {
  const page = new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' });
  const error = await failureOf(answer(fakeService([page], once).client.GET('/api/overview')));
  expect(error).toMatchObject({ status: 502, detail: 'The server answered 502 Bad Gateway.', errors: [] });
  expect(error.code).toBeUndefined();
});

test('throws for unreadable and broken responses', async () => {
  const page = fakeService([new Response('<h1>Hotel Wi-Fi</h1>')]);
  expect(await failureOf(answer(page.client.GET('/api/overview')))).toMatchObject({ status: 0 });
  const half = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  const cut = fakeService([() => new Response(half)]);
  expect(await failureOf(answer(cut.client.GET('/api/overview')))).toMatchObject({
    status: 0,
    cause: expect.objectContaining({ message: 'terminated' }),
  });
});

test('sends a write with the tag that was read', async () => {
  const { client, header } = fakeService([json({ id: 1 }, 200, { ETag: 'W/"s-w"' })]);
  const path = { repo_id: 1 };
  const { data, etag } = await answerWithTag(client.GET('/api/repositories/{repo_id}', { params: { path } }));
  expect(data).toEqual({ id: 1 });
  await client.PUT('/api/repositories/{repo_id}', { params: { path, header: ifMatch(etag) }, body: {} });
  await client.PUT('/api/repositories/{repo_id}', { params: { path, header: ifMatch(undefined) }, body: {} });
  expect(header('If-Match')).toEqual([null, '"s-w"', null]);
});

test('creates a download address with a ticket for exactly its path and query', async () => {
  const ticket = { success: true, ticket: 't', url: '/api/x?ticket=t', expires_at: '' };
  const { client, requests } = fakeService([json(ticket, 201)]);
  const query = {
    repository_id: 1,
    archive: 'a/b c',
    file_path: ['home/ann', 'etc'],
    format: 'zip' as const,
  };
  expect(await downloadAddress(client, '/api/archives/download', { query })).toBe(
    `${baseUrl}/api/x?ticket=t`,
  );
  await downloadAddress(client, '/api/jobs/{job_id}/log/download', { path: { job_id: 7 } });
  const short = { query: { repository_id: 1, archive: 'a' } };
  await downloadAddress(client, '/api/archives/download', short, { filePaths: ['etc'] });
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([
    {
      url: '/api/archives/download?repository_id=1&archive=a%2Fb%20c&file_path=home%2Fann&file_path=etc&format=zip',
    },
    { url: '/api/jobs/7/log/download' },
    { url: '/api/archives/download?repository_id=1&archive=a', file_paths: ['etc'] },
  ]);
  // @ts-expect-error No download.
  expectTypeOf(downloadAddress<'/api/overview'>).toBeFunction();
  // @ts-expect-error A stream, which followEvents reads.
  expectTypeOf(downloadAddress<'/api/events'>).toBeFunction();
});

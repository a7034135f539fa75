import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  answer,
  answerWithTag,
  downloadAddress,
  followEvents,
  HoldfastError,
  ifMatch,
  makeClient,
} from '@holdfast/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from './fake-service.js';

const root = join(import.meta.dirname, '..', '..');
const token = 'a token';

/** Without imports and indentation. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(import|export) /.test(line));

/** The example that a page has of this package. */
function exampleOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return linesOf(blocks.find((block) => block.includes("'@holdfast/client'")) ?? page).join('\n');
}

const service = vi.fn(async ({ method, url, headers }: Request): Promise<Response> => {
  expect(headers.get('Authorization')).toBe('Bearer a token');
  if (url.includes('/api/events'))
    return new Response('id: 1\nevent: job_ended\ndata: {"job_id":7}\n\n', { status: 200 });
  if (method === 'PUT') return json({ detail: 'It was changed.' }, 412);
  return json({ job_id: 7, url: '/log?ticket=t', repository: { name: 'Home' } }, 200, { ETag: '"1-2"' });
});
beforeEach(() => {
  vi.stubGlobal('fetch', service);
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('runs the example of the README', async () => {
  const client = makeClient({ baseUrl: 'http://127.0.0.1:8081', token: () => token });
  const { job_id } = await answer(client.POST('/api/backup/start', { body: { repository_id: 1 } }));
  for await (const { event, data } of followEvents(client, { kinds: ['job_ended'] })) {
    if (event === 'job_ended' && data.job_id === job_id) break;
  }
  expect(linesOf(readFileSync(import.meta.filename, 'utf8')).join('\n')).toContain(
    exampleOf('client/README.md'),
  );
});

test('matches the example in docs/developers/api.md', async () => {
  const client = makeClient({ baseUrl: 'http://127.0.0.1:8081', token: () => token });
  const { job_id } = await answer(client.POST('/api/backup/start', { body: { repository_id: 1 } }));
  const log = await downloadAddress(client, '/api/jobs/{job_id}/log/download', { path: { job_id } });

  const path = { repo_id: 1 };
  const { data, etag } = await answerWithTag(client.GET('/api/repositories/{repo_id}', { params: { path } }));
  const body = { name: `${data.repository.name}, the old one` };
  try {
    const params = { path, header: ifMatch(etag) };
    await answer(client.PUT('/api/repositories/{repo_id}', { params, body }));
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.status !== 412) throw error;
    console.log('Another user has changed it.');
  }
  expect(log).toBe('http://127.0.0.1:8081/log?ticket=t');
  expect(console.log).toHaveBeenCalledOnce();
  expect(linesOf(readFileSync(import.meta.filename, 'utf8')).join('\n')).toContain(
    exampleOf('docs/developers/api.md'),
  );
});

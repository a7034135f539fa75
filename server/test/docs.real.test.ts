import { contract, type RouteMetadata, routesOf } from '@holdfast/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningService, runService } from './running-service.js';

let running: RunningService;
beforeAll(async () => {
  running = await runService({ INITIAL_ADMIN_PASSWORD: 'a password for this test' });
});
afterAll(() => running.end());

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; schema: object }[];
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
  requestBody?: { content: Record<string, { schema: object }> };
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}
const routes = routesOf(contract);
const load = async () => (await (await running.call('/api/openapi.json')).json()) as Document;

test('describes every route of the contracts as an operation with its rules', async () => {
  const document = await load();
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.0/), info: { version: '1.64.1' } });
  for (const { path, method, metadata, responses } of routes) {
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    const { access, tag } = metadata as RouteMetadata;
    expect(operation, `${method} ${path}`).toMatchObject({ tags: [tag], summary: expect.any(String) });
    expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...Object.keys(responses), '431'].sort());
    expect(operation?.security.length === 0).toBe(access.who === 'public' && !access.cookie);
    expect(JSON.stringify(operation?.security).includes('queryToken')).toBe(access.tokenInQuery === true);
  }
});

test('downloads are binary or text, ids in paths are whole numbers', async () => {
  const { paths } = await load();
  const download = paths['/api/archives/download']?.get;
  expect(download?.responses[200]?.content).toEqual({
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
  });
  expect(paths['/api/backup/logs/{job_id}/download']?.get?.responses[200]?.content).toHaveProperty([
    'text/plain',
  ]);
  expect(paths['/api/backup/status/{job_id}']?.get?.parameters[0]).toMatchObject({
    name: 'job_id',
    in: 'path',
    schema: { type: 'integer', minimum: 1 },
  });
});

test('describes an upload as a form', async () => {
  const { paths, components } = await load();
  const upload = paths['/api/repositories/{repo_id}/keyfile']?.post;
  const name = 'RepositoriesUploadKeyFileBody';
  expect(upload?.requestBody?.content).toEqual({
    'multipart/form-data': { schema: { $ref: `#/components/schemas/${name}` } },
  });
  expect(components.schemas[name]).toMatchObject({
    properties: { keyfile: { type: 'string', format: 'binary' } },
    required: ['keyfile'],
  });
});

test.each(['/api/docs', '/api/docs/', '/api/redoc'])('serves %s and all that it loads', async (path) => {
  const page = await running.call(path);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*unsafe/);
  const html = await page.text();
  const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '');
  expect(addresses.length).toBeGreaterThan(2);
  expect(html).not.toMatch(/<script>|https?:\/\/|\/\/[a-z]/);
  for (const address of addresses) {
    expect(address).toMatch(/^\/api\/docs\/assets\//);
    const asset = await running.call(address);
    expect(asset.status, address).toBe(200);
    expect(asset.headers.get('content-type')).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/png)$/);
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(10);
  }
});

test('contacts no other host from either page', async () => {
  const text = async (name: string) => (await running.call(`/api/docs/assets/${name}`)).text();
  expect(await text('start-swagger-ui.js')).toMatch(/url: '\/api\/openapi.json'[\s\S]*validatorUrl: null/);
  expect(await text('redoc.standalone.js')).not.toContain('cdn.redoc.ly');
});

test.each(['package.json', '..%2f..%2fpackage.json', 'constructor', 'swagger-ui-bundle.js.map'])(
  'serves no other file of a library: %s',
  async (name) => {
    expect((await running.call(`/api/docs/assets/${name}`)).status).toBe(404);
  },
);

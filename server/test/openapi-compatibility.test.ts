import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { breakingChanges } from '../../scripts/openapi/breaking-changes.mjs';
import { currentFile, lastRelease, textOf } from '../../scripts/openapi/documents.mjs';
import { openApiDocument } from '../src/http/docs/openapi.js';

interface Schema {
  properties: Record<string, { type?: string; nullable?: boolean; enum?: string[]; maximum?: number }>;
  required: string[];
  enum: string[];
}
interface Operation {
  security: object[];
  parameters: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { required: boolean };
  responses: Record<string, { content?: Record<string, object> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const now = await openApiDocument();

test('matches the stored document with the contracts', () => {
  const kept = existsSync(currentFile) ? readFileSync(currentFile, 'utf8') : '';
  const message = 'api/openapi.json is out of date: run `npm run openapi` and look at what changed';
  expect(kept === textOf(now), message).toBe(true);
});

test('breaks no client of the last release', { timeout: 180_000 }, async () => {
  const released = lastRelease();
  expect(released, 'api/ holds the document of no release').toBeDefined();
  expect(await breakingChanges(released?.document ?? {}, now)).toEqual([]);
});

let changed: Document;
beforeAll(() => {
  changed = structuredClone(now) as unknown as Document;
  Object.assign(changed.components.schemas, { UnusedView: {} });
});
const seeded = async (seed: (document: Document) => void) => {
  const document = structuredClone(changed);
  seed(document);
  return breakingChanges(changed, document);
};
const schema = (document: Document, name: string) => document.components.schemas[name] as Schema;
const operation = (document: Document, method: string, path: string) =>
  document.paths[path]?.[method] as Operation;

test.each<[string, (document: Document) => void, string]>([
  ['a removed address', (d) => delete d.paths['/api/plugins'], 'GET /api/plugins was removed.'],
  ['a removed method', (d) => delete d.paths['/api/schedule/']?.post, 'POST /api/schedule/ was removed.'],
  [
    'another name of an operation',
    (d) => Object.assign(operation(d, 'get', '/health'), { operationId: 'health' }),
    'GET /health was renamed from System / systemHealth to System / health.',
  ],
  [
    'another name of a schema',
    (d) => delete d.components.schemas.UnusedView,
    'The schema UnusedView was removed.',
  ],
  [
    'a removed field of an answer',
    (d) => {
      delete schema(d, 'ArchiveView').properties.hostname;
      schema(d, 'ArchiveView').required = schema(d, 'ArchiveView').required.filter(
        (name) => name !== 'hostname',
      );
    },
    'archives[].hostname',
  ],
  [
    'a field that may be missing now',
    (d) => {
      schema(d, 'UserView').required = ['id'];
    },
    'username (required or not)',
  ],
  [
    'another type of a field',
    (d) => {
      schema(d, 'UserView').properties.username = { type: 'integer' };
    },
    'username',
  ],
  [
    'null where none was',
    (d) => {
      schema(d, 'UserView').properties.username = { type: 'string', nullable: true };
    },
    'username',
  ],
  ['a new status of a job', (d) => schema(d, 'DeleteJobStatus').enum.push('paused'), 'status.paused'],
  [
    'a new field that must be sent',
    (d) => {
      schema(d, 'SchedulesCreateBody').properties.owner = { type: 'string' };
      schema(d, 'SchedulesCreateBody').required.push('owner');
    },
    'owner',
  ],
  [
    'a field that is not taken any more',
    (d) => delete schema(d, 'SchedulesCreateBody').properties.timezone,
    'timezone',
  ],
  [
    'a narrower range',
    (d) => {
      schema(d, 'PruneInput').properties.keep_daily = { type: 'integer', maximum: 10 };
    },
    'keep_daily',
  ],
  [
    'a new parameter that must be sent',
    (d) =>
      operation(d, 'get', '/api/archives/list').parameters.push({
        name: 'owner',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
    'query owner',
  ],
  [
    'a body that must be sent now',
    (d) =>
      Object.assign(operation(d, 'post', '/api/repositories/{repo_id}/check').requestBody ?? {}, {
        required: true,
      }),
    'POST /api/repositories/{repo_id}/check rejects',
  ],
  [
    'a token where none was needed',
    (d) => operation(d, 'get', '/health').security.push({ bearer: [] }),
    'GET /health rejects',
  ],
  [
    'another media type',
    (d) => {
      operation(d, 'get', '/api/archives/download').responses['200'] = {
        content: { 'text/plain': { schema: { type: 'string' } } },
      };
    },
    'text/plain',
  ],
])('reports %s as a breaking change with its location', async (_what, seed, place) => {
  expect((await seeded(seed)).join('\n')).toContain(place);
});

test('accepts additions to the interface', async () => {
  const additions = await seeded((d) => {
    delete operation(d, 'get', '/api/plugins').responses[403];
    d.paths['/api/new'] = d.paths['/api/plugins'] as (typeof d.paths)[string];
    schema(d, 'ArchiveView').properties.colour = { type: 'string' };
    schema(d, 'ArchiveView').required.push('colour');
    schema(d, 'SchedulesCreateBody').properties.colour = { type: 'string' };
    for (const place of ['query', 'header']) {
      operation(d, 'get', '/api/archives/list').parameters.push({
        name: 'colour',
        in: place,
        schema: { type: 'string' },
      });
    }
    Object.assign(operation(d, 'get', '/health'), { description: 'Other words.' });
  });
  expect(additions).toEqual([]);
});

import SwaggerParser from '@apidevtools/swagger-parser';
import { contract, type RouteMetadata, routesOf } from '@holdfast/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type AppRoute, isZodType } from '@ts-rest/core';
import { expect, test } from 'vitest';
import { filler } from '../src/http/docs/examples.js';
import { openApiDocument } from '../src/http/docs/openapi.js';
import { tags } from '../src/http/docs/tags.js';

interface Media {
  schema: { $ref?: string };
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary?: string;
  description: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; description?: string; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, Media> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, { description: string; content: Record<string, Media> }>;
  };
}

const document = (await openApiDocument()) as unknown as Document;
const routes = routesOf(contract).map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
  operation: document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] as Operation,
}));

/** One line for each thing that is missing, with where to add it. */
const missing = (look: (parts: (typeof routes)[number]) => (string | false | undefined)[]) =>
  routes.flatMap((parts) => look(parts).flatMap((text) => (text ? [`${parts.name}: ${text}`] : [])));

test('is valid OpenAPI 3.0', async () => {
  const result = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(document).toMatchObject({ openapi: '3.0.3', info: { version: '1.64.1' } });
});

test('passes a second validator that follows references and compares paths', async () => {
  await expect(SwaggerParser.validate(structuredClone(document) as never)).resolves.toBeDefined();
});

test('describes every route with a summary, a description and a known group', () => {
  const described = tags.map(({ name }) => name);
  expect(
    missing(({ route, operation }) => [
      !operation && 'is not in the document',
      !operation.summary && 'has no `summary` in its contract',
      !route.description && 'has no `description` in its contract: say what the summary does not',
      !described.includes(operation.tags[0] ?? '') &&
        `its tag "${operation.tags[0]}" is not described in server/src/http/docs/tags.ts`,
    ]),
  ).toEqual([]);
});

test('gives every operation a unique id for generated method names', () => {
  const ids = routes.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  const snakes = ids.map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(new Set(snakes).size).toBe(routes.length);
});

test('matches the security of every operation with its route', () => {
  expect(
    missing(({ route, operation }) => {
      const { access } = route.metadata as RouteMetadata;
      const schemes = operation.security.flatMap((scheme) => Object.keys(scheme)).join();
      const signedIn = access.tokenInQuery ? 'bearer,queryToken' : 'bearer';
      const wanted = access.cookie ? 'sessionCookie' : access.who === 'public' ? '' : signedIn;
      return [
        schemes !== wanted && `security is "${schemes}", not "${wanted}"`,
        access.tokenInQuery && operation.parameters.some(({ name }) => name === 'token') && 'lists its token',
      ];
    }),
  ).toEqual([]);
});

test('describes every parameter', () => {
  expect(
    missing(({ operation }) =>
      operation.parameters.map(
        ({ name, description }) =>
          !description &&
          `parameter "${name}" has no description: give its schema one by .openapi({ description })`,
      ),
    ),
  ).toEqual([]);
});

test('describes every status and gives every error a detail', () => {
  expect(
    missing(({ route, operation }) => [
      `${Object.keys(operation.responses).sort()}` !== `${[...Object.keys(route.responses), '431'].sort()}` &&
        'does not have the statuses of its contract',
      ...Object.entries(operation.responses).map(([status, response]) => {
        if (status >= '400') {
          return (
            !response.$ref &&
            `status ${status} is no failure that is known: add it to server/src/http/docs/failures.ts`
          );
        }
        return (
          response.description === status &&
          `status ${status} has no text: add it to server/src/http/docs/responses.ts`
        );
      }),
      !['405', '500', '503'].every((status) => status in operation.responses) &&
        'does not have all of 405, 500 and 503',
    ]),
  ).toEqual([]);
  for (const { content } of Object.values(document.components.responses)) {
    expect(content['application/json']).toMatchObject({
      schema: { $ref: '#/components/schemas/ErrorBody' },
      example: { detail: expect.any(String) },
    });
  }
});

const advice = 'give the fields an example by .openapi({ example })';

const fillersIn = (value: unknown, place = ''): string[] => {
  if (value === filler) return [place];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => fillersIn(part, place ? `${place}.${name}` : name));
};

/** What is wrong with an example, by the schema of the contract itself. */
function faultOf(what: string, media: Media | undefined, schema: unknown): string | false {
  if (media === undefined) return false;
  const { example } = media;
  if (example === undefined) return `${what} has no example`;
  const unknown = fillersIn(example);
  if (unknown.length > 0) return `${what} has no example of ${unknown.join(', ')}: ${advice}`;
  if (!isZodType(schema)) return false;
  const { success, error } = schema.safeParse(example);
  return !success && `${what} has an example that its schema refuses: ${JSON.stringify(error.issues)}`;
}

test('has a valid example for every body and response', () => {
  expect(
    missing(({ route, operation }) => {
      const { body } = route as AppRoute & { body?: unknown };
      const sent = Object.entries(operation.requestBody?.content ?? {});
      const answers = Object.entries(operation.responses).filter(([status]) => status < '300');
      return [
        ...sent.map(([type, media]) => !type.startsWith('multipart/') && faultOf('the body', media, body)),
        ...answers.map(([status, { content }]) =>
          faultOf(`answer ${status}`, content?.['application/json'], route.responses[Number(status)]),
        ),
      ];
    }),
  ).toEqual([]);
});

test('shows fields in the example of a change with only optional ones', () => {
  expect(
    missing(({ operation }) => {
      const example = operation.requestBody?.content['application/json']?.example;
      return [
        JSON.stringify(example) === '{}' &&
          'the example of its body is empty: give the body one by .openapi({ example })',
      ];
    }),
  ).toEqual([]);
});

test('bodies and answers are named components, errors one response each', () => {
  expect(
    missing(({ operation }) => {
      const medias = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      );
      return medias.map(
        ({ schema }) => 'properties' in schema && `${JSON.stringify(schema)} stands in the operation itself`,
      );
    }),
  ).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('x-schema');
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['ErrorBody', 'RepositoryView', 'BackupJobView', 'ArchiveView', 'JobStatus']),
  );
});

test('marks optional bodies and omits bodies that are not read', () => {
  const bodyOf = (path: string) => document.paths[path]?.post?.requestBody;
  expect(bodyOf('/api/repositories/{repo_id}/check')).toMatchObject({ required: false });
  expect(bodyOf('/api/repositories/{repo_id}/prune')).toMatchObject({ required: true });
  expect(bodyOf('/api/backup/cancel/{job_id}')).toBeUndefined();
});

import type { RouteMetadata } from '@holdfast/contracts';
import type { AppRoute } from '@ts-rest/core';
import type { Components } from './components.js';
import { exampleOf } from './examples.js';
import { type Failure, failures, tooLongHead } from './failures.js';
import { successHeaders } from './headers.js';
import { asOpenApi30 } from './openapi-3.0.js';
import { mapSchema, type Schema } from './schema.js';

const successes: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Taken on; it is not done yet',
  204: 'Done, without a body',
  302: 'Go on at `Location`',
  304: 'Nothing has changed since `If-None-Match`',
};

interface Response {
  description: string;
  content?: Record<string, { schema: Schema }>;
}

interface Parts {
  route: AppRoute;
  components: Components;
  /** Name of the component for a response whose schema has no name. */
  name: string;
}

/** The responses of an operation: errors by reference, downloads with their media types, JSON with an example. */
export function responsesOf(generated: Record<string, Response>, parts: Parts): Record<string, object> {
  const declared = Object.entries(generated).map(
    ([status, response]) => [status, responseOf(status, response, parts)] as const,
  );
  // Node.js answers it before any route is known.
  return Object.fromEntries([...declared, ['431', referenceTo(tooLongHead)]]);
}

function responseOf(status: string, response: Response, { route, components, name }: Parts): object {
  const json = response.content?.['application/json']?.schema;
  const schema = json && mapSchema(json, asOpenApi30);
  const failure = failures[status];
  if (failure && schema) {
    components.takeBody(schema, 'ErrorBody');
    return referenceTo(failure);
  }
  const description = successes[status] ?? status;
  const { download } = route.metadata as RouteMetadata;
  const type = contentTypeOf(route, status) ?? (Number(status) < 300 ? download?.contentType : undefined);
  const told = { description, headers: successHeaders(route) };
  if (type !== undefined) return { ...told, content: { [type]: { schema: fileSchema(type) } } };
  if (schema === undefined) return told;
  const example = exampleOf(schema);
  return {
    ...told,
    content: { 'application/json': { schema: components.takeBody(schema, name), example } },
  };
}

const referenceTo = ({ name }: Failure) => ({ $ref: `#/components/responses/${name}` });

const fileSchema = (type: string): Schema =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };

const contentTypeOf = (route: AppRoute, status: string): string | undefined => {
  const response: unknown = (route.responses as Record<string, unknown>)[status];
  if (typeof response !== 'object' || response === null || !('contentType' in response)) return undefined;
  return String(response.contentType).split(';')[0];
};

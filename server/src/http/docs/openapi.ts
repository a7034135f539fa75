import { setImmediate as nextTurn } from 'node:timers/promises';
import { contract, interfaceVersion, type RouteMetadata, routesOf } from '@holdfast/contracts';
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';
import { generateOpenApi } from '@ts-rest/open-api';
import { serverVersion } from '../../server-version.js';
import { sessionCookieName } from '../sign-in/session-cookie.js';
import { Components } from './components.js';
import { failureComponents } from './failures.js';
import { headerComponents } from './headers.js';
import { type Parameter, parameterOf } from './parameters.js';
import { type RequestBody, requestBodyOf } from './request-body.js';
import { responsesOf } from './responses.js';
import { nameSchemas, pascalCase } from './schema-names.js';
import { tags } from './tags.js';

type Mapper = NonNullable<NonNullable<Parameters<typeof generateOpenApi>[2]>['operationMapper']>;
type Operation = Parameters<Mapper>[0];

const info = {
  title: 'Holdfast',
  version: interfaceVersion,
  description:
    `Holdfast ${serverVersion} implements version ${interfaceVersion} of this API. ` +
    'It manages Borg backups. Get an access token from `POST /api/auth/login` and send it ' +
    'as `Authorization: Bearer <token>`; downloads take it as the query parameter `token` as well. ' +
    'Every error has a `detail` that says what to do.',
  license: { name: 'Apache-2.0' },
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `access_token` of a login, or an API token.',
  },
  queryToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The same token in the query of a download, so that a link works in a browser.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description: 'The refresh token of a browser session. Set by POST /api/auth/session.',
  },
};

/** Made once, by where the service is published: the contracts don't change while it runs. */
export const openApiDocument = async (basePath = ''): Promise<Record<string, unknown>> => {
  document ??= makeDocument();
  return {
    ...(await document),
    servers: [{ url: basePath || '/', description: 'The server that returned this document' }],
  };
};
let document: Promise<Record<string, unknown>> | undefined;

async function makeDocument(): Promise<Record<string, unknown>> {
  nameSchemas();
  const components = new Components();
  const used = new Set(routesOf(contract).map(({ metadata }) => (metadata as RouteMetadata).tag));
  const operationMapper: Mapper = (operation, route) => complete(operation, { route, components });
  const paths: Record<string, object> = {};
  const how = { setOperationId: 'concatenated-path', operationMapper } as const;
  for (const router of oneByOne(contract)) {
    // The whole takes a second, in which others are answered.
    await nextTurn();
    const made = generateOpenApi(router, { info }, how);
    for (const [path, of] of Object.entries(made.paths)) paths[path] = { ...paths[path], ...of };
  }
  return {
    openapi: '3.0.3',
    info,
    servers: [],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: {
      securitySchemes,
      schemas: sortedByName(components.schemas),
      responses: failureComponents(),
      headers: headerComponents(),
    },
  };
}

/** Routers with one route each, at the place that it has in the whole. */
function* oneByOne(router: AppRouter): Generator<AppRouter> {
  for (const [name, part] of Object.entries(router)) {
    if (isAppRoute(part)) yield { [name]: part };
    else for (const one of oneByOne(part)) yield { [name]: one };
  }
}

/** Adds what the schemas can't say, and gives the parts that several operations share a name. */
function complete(
  operation: Operation,
  { route, components }: { route: AppRoute; components: Components },
): Operation {
  const { access, tag, alias } = route.metadata as RouteMetadata;
  const id = camelCase(operation.operationId ?? '');
  const parameters = (operation.parameters ?? []) as Parameter[];
  const body = operation.requestBody as RequestBody | undefined;
  const requestBody = body && requestBodyOf(body, { route, components, name: `${pascalCase(id)}Body` });
  const made = {
    operationId: id,
    tags: [tag],
    summary: operation.summary,
    description: [
      route.description,
      alias && `Also at \`${alias.replace(/:(\w+)/g, '{$1}')}\`.`,
      whoMay(access, route.method === 'GET'),
    ]
      .filter(Boolean)
      .join('\n\n'),
    security: securityOf(access),
    parameters: parameters.filter((part) => !access.tokenInQuery || part.name !== 'token').map(parameterOf),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(operation.responses, { route, components, name: `${pascalCase(id)}Answer` }),
  };
  return made as Operation;
}

function whoMay(
  { who, beforePasswordChange, readOnlyTokens, summaryTokens, confirm, cookie }: RouteMetadata['access'],
  onlyReads: boolean,
): string {
  if (cookie) return "Needs a session cookie, and must come from one of Holdfast's own pages.";
  if (who === 'public') return 'Needs no token.';
  const sentences = [who === 'admin' ? 'For administrators.' : 'For every user.'];
  if (beforePasswordChange) sentences.push('Also before a required password change.');
  if (!(readOnlyTokens ?? onlyReads)) sentences.push('Not with a read-only token.');
  if (summaryTokens) sentences.push('Also with a token that opens only the summary.');
  if (confirm === 'always') sentences.push('A browser session must confirm the password first.');
  return sentences.join(' ');
}

const securityOf = ({ who, tokenInQuery, cookie }: RouteMetadata['access']): object[] => {
  if (cookie) return [{ sessionCookie: [] }];
  if (who === 'public') return [];
  return [{ bearer: [] }, ...(tokenInQuery ? [{ queryToken: [] }] : [])];
};

/** `maintenance.check.job` is `maintenanceCheckJob`: generators make method names of it. */
const camelCase = (path: string) => path.replace(/\.(.)/g, (_dot, letter: string) => letter.toUpperCase());

const sortedByName = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

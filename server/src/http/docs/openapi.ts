import { contract, interfaceVersion, type RouteMetadata } from '@holdfast/contracts';
import type { AppRoute } from '@ts-rest/core';
import { generateOpenApi } from '@ts-rest/open-api';

type Operation = Parameters<NonNullable<Mapper>>[0];
type Mapper = NonNullable<Parameters<typeof generateOpenApi>[2]>['operationMapper'];

const statusTexts: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  204: 'Done, without a body',
  304: 'Nothing has changed since `If-None-Match`',
  400: 'Invalid input: `detail` and `errors` say what to change',
  401: 'No valid access token',
  403: 'The caller may not do this',
  404: 'Not found',
  405: 'Wrong method; `Allow` has the right ones',
  409: 'Conflict with what is there, or busy',
  412: 'Changed since `If-Match`: get it again',
  413: 'Body too large',
  415: 'Wrong media type',
  429: 'Too many tries; wait for `Retry-After` seconds',
  500: 'The server failed; `request_id` finds the reason in its log',
  503: 'Something that the service needs does not answer',
};

const info = {
  title: 'Holdfast',
  version: interfaceVersion,
  description:
    'Manages repositories of the backup tool Borg. Get an access token from `POST /api/auth/login` and send it ' +
    'as `Authorization: Bearer <token>`; downloads take it as the query parameter `token` as well. ' +
    'Every error has a `detail` that says what to do.',
  license: { name: 'Apache-2.0' },
};

/** Made once: the contracts don't change while the service runs. */
export const openApiDocument = (): Record<string, unknown> => {
  document ??= { ...makeDocument() };
  return document;
};
let document: Record<string, unknown> | undefined;

const makeDocument = () =>
  generateOpenApi(
    contract,
    {
      info,
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          queryToken: { type: 'apiKey', in: 'query', name: 'token' },
        },
      },
    },
    { setOperationId: 'concatenated-path', operationMapper: complete },
  );

/**
 * Adds what the schemas can't say: group, security, texts of the statuses, media types of uploads and
 * downloads.
 */
function complete(operation: Operation, route: AppRoute): Operation {
  const { access, tag, download, upload } = route.metadata as RouteMetadata;
  const restricted = access.who === 'admin' ? 'For administrators.' : undefined;
  const description = [route.description, restricted].filter(Boolean).join('\n\n');
  return {
    ...operation,
    tags: [tag],
    description: description === '' ? undefined : description,
    security: securityOf(access),
    parameters: operation.parameters?.filter(
      (part) => !access.tokenInQuery || !('name' in part) || part.name !== 'token',
    ),
    ...(operation.requestBody ? { requestBody: bodyOf(operation.requestBody, upload) } : {}),
    responses: responsesOf(operation.responses, route, download),
  };
}

const securityOf = ({ who, tokenInQuery }: RouteMetadata['access']): Operation['security'] => {
  if (who === 'public') return [];
  return [{ bearer: [] }, ...(tokenInQuery ? [{ queryToken: [] }] : [])];
};

const bodyOf = (body: NonNullable<Operation['requestBody']>, upload: RouteMetadata['upload']) => ({
  ...body,
  required: true,
  ...(upload ? { description: `A form with the file part \`${upload.part}\`` } : {}),
});

function responsesOf(
  responses: Operation['responses'],
  route: AppRoute,
  download: RouteMetadata['download'],
) {
  const entries = Object.entries(responses).map(([status, response]) => {
    const description = statusTexts[status] ?? status;
    const other = Number(status) < 300 ? contentTypeOf(route, status) : undefined;
    const type = other ?? (Number(status) < 300 ? download?.contentType : undefined);
    if (type === undefined) return [status, { ...response, description }];
    const binary = download !== undefined && !type.startsWith('text/');
    const schema = binary ? { type: 'string', format: 'binary' } : { type: 'string' };
    return [status, { description, content: { [type]: { schema } } }];
  });
  return Object.fromEntries(entries);
}

const contentTypeOf = (route: AppRoute, status: string): string | undefined => {
  const response: unknown = (route.responses as Record<string, unknown>)[status];
  if (typeof response !== 'object' || response === null || !('contentType' in response)) return undefined;
  return String(response.contentType).split(';')[0];
};

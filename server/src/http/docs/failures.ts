import { failureHeaders } from './headers.js';

export interface Failure {
  name: string;
  description: string;
  detail: string;
}

export const tooLongHead: Failure = {
  name: 'TooLongHead',
  description: 'The URL and the headers are too large',
  detail: 'The URL and the headers are too large.',
};

/** The statuses of errors. Each is one response for all operations: they answer alike. */
export const failures: Record<string, Failure> = {
  400: {
    name: 'InvalidInput',
    description: 'Invalid input: see `detail` and `errors`',
    detail: 'name must not be empty',
  },
  401: {
    name: 'NotSignedIn',
    description: 'No valid access token',
    detail: 'The access token is missing, wrong or no longer valid. Get one from POST /api/auth/login.',
  },
  403: {
    name: 'NotAllowed',
    description: 'The caller may not do this',
    detail: 'Only administrators may do this.',
  },
  404: { name: 'NotFound', description: 'Not found', detail: 'There is no repository 7.' },
  405: {
    name: 'WrongMethod',
    description: 'Wrong method; `Allow` has the right ones',
    detail: 'PATCH is not offered here. Use one of: GET, HEAD, OPTIONS, PUT.',
  },
  409: {
    name: 'Conflict',
    description: 'Conflict with an existing object, or busy',
    detail: 'A repository named Home already exists. Choose another name.',
  },
  412: {
    name: 'ChangedMeanwhile',
    description: 'Changed since `If-Match`: get it again',
    detail: 'It has changed since you read it. Read it again and repeat your change.',
  },
  413: {
    name: 'TooLarge',
    description: 'Body too large',
    detail: 'The body is larger than this route accepts.',
  },
  415: {
    name: 'WrongMediaType',
    description: 'Wrong media type',
    detail: 'Send the body as application/json.',
  },
  429: {
    name: 'TooManyTries',
    description: 'Too many tries; wait for `Retry-After` seconds',
    detail: 'Too many login attempts: wait 30 s and try again.',
  },
  431: tooLongHead,
  500: {
    name: 'ServerFailed',
    description: 'Internal error; the log has the reason under the `request_id`',
    detail: 'Internal server error. The log has the cause under this request id.',
  },
  503: {
    name: 'Unavailable',
    description: 'Something that Holdfast needs does not respond',
    detail: 'The database does not respond. Try again later.',
  },
};

const exampleOf = ({ name, detail }: Failure) => ({
  detail,
  ...(name === 'InvalidInput' ? { errors: [{ path: 'name', message: 'must not be empty' }] } : {}),
  ...(name === 'ServerFailed' ? { request_id: '0b8f2c1e-5d4a-4c57-9a53-7f1f0c2f6f7d' } : {}),
});

/** The responses of errors by their names, as components. */
export const failureComponents = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(failures).map(([status, failure]) => [
      failure.name,
      {
        description: failure.description,
        headers: failureHeaders(status),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorBody' },
            example: exampleOf(failure),
          },
        },
      },
    ]),
  );

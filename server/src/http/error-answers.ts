import { type AppErrorCode, type FieldError, isAppError } from '@holdfast/core/server';
import { isStoreError } from '@holdfast/plugin-api';
import { type DriverErrorKind, isDriverError } from '@holdfast/plugin-api/driver';
import { RequestValidationError } from '@ts-rest/express';
import { HttpError } from './http-error.js';
import { fieldErrors, sentenceOf } from './validation-errors.js';

export interface ErrorAnswer {
  status: number;
  detail: string;
  errors?: FieldError[];
  retryAfterSeconds?: number;
}

const appStatuses: Record<AppErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  too_many: 429,
  unavailable: 503,
  internal: 500,
};

const driverStatuses: Record<DriverErrorKind, number> = {
  cancelled: 503,
  passphrase_wrong: 400,
  key_missing: 400,
  repository_missing: 503,
  not_a_repository: 400,
  other_repository: 409,
  repository_exists: 409,
  path_not_empty: 400,
  archive_missing: 404,
  archive_exists: 409,
  path_missing: 404,
  locked: 409,
  damaged: 500,
  no_space: 503,
  permission: 400,
  connection: 503,
  host_key_changed: 409,
  tool_missing: 503,
  tool_too_old: 503,
  usage: 500,
  failed: 500,
};

const retryLocked = 10;
const retryConnection = 30;
const retryStorage = 5;

/**
 * What a caller is told of an error: `detail` says what to do, a failure of ours says nothing of the
 * inside.
 */
export function answerTo(error: unknown): ErrorAnswer {
  if (isAppError(error)) {
    const { code, detail, errors, retryAfterSeconds } = error;
    return { status: appStatuses[code], detail, errors, retryAfterSeconds };
  }
  if (error instanceof RequestValidationError) {
    const errors = fieldErrors(error);
    return { status: 400, detail: sentenceOf(errors), errors };
  }
  if (isDriverError(error)) return toDriver(error.kind, error.message, error.options.holder);
  if (isStoreError(error)) return toStore(error.kind, error.key);
  if (error instanceof HttpError) return { status: error.status, detail: error.detail };
  return toHttp(error) ?? internal;
}

const internal: ErrorAnswer = {
  status: 500,
  detail: 'The server failed here; its log tells why under this request id.',
};

function toDriver(kind: DriverErrorKind, message: string, holder: string | undefined): ErrorAnswer {
  const status = driverStatuses[kind];
  if (kind === 'locked') {
    const by = holder ? `by ${holder}` : 'by someone else';
    const detail = `The repository is locked ${by}; try again later, or break the lock when nobody uses it.`;
    return { status, detail, retryAfterSeconds: retryLocked };
  }
  return {
    status,
    detail: message,
    ...(kind === 'connection' ? { retryAfterSeconds: retryConnection } : {}),
  };
}

function toStore(kind: string, key: string | undefined): ErrorAnswer {
  if (kind === 'unique')
    return { status: 409, detail: `This ${key ?? 'value'} is taken already; choose another.` };
  if (kind === 'conflict') {
    return {
      status: 503,
      detail: 'Others changed the same at this moment; try again.',
      retryAfterSeconds: 1,
    };
  }
  if (kind !== 'unavailable') return internal;
  return {
    status: 503,
    detail: 'The database does not answer; try again later.',
    retryAfterSeconds: retryStorage,
  };
}

const bodyFaults: Record<string, string> = {
  'entity.parse.failed': 'The body is no valid JSON.',
  'entity.too.large': 'The body is larger than 1 MB.',
  'parameters.too.many': 'The form has too many fields.',
  'request.aborted': 'The request broke off.',
  'request.size.invalid': 'The body does not have the length that Content-Length says.',
  'charset.unsupported': 'Send the body in UTF-8.',
  'encoding.unsupported': 'Send the body without compression, or with gzip or deflate.',
};

/** Faults that express and its body parsers find: `type` and `status` say which. */
function toHttp(error: unknown): ErrorAnswer | null {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  const known = typeof type === 'string' ? bodyFaults[type] : undefined;
  return { status, detail: known ?? 'The request is malformed; check its address and its encoding.' };
}

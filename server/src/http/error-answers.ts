import {
  type AppErrorCode,
  type FieldError,
  isAppError,
  type MessageParams,
  type Redactor,
} from '@holdfast/core/server';
import { isStoreError } from '@holdfast/plugin-api';
import { type DriverErrorKind, isDriverError } from '@holdfast/plugin-api/driver';
import { RequestValidationError } from '@ts-rest/express';
import { HttpError } from './http-error.js';
import { fieldErrors, sentenceOf } from './validation-errors.js';

export interface ErrorAnswer {
  status: number;
  detail: string;
  /** Stable name of the sentence in `detail`. */
  code: string;
  params?: MessageParams;
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

/** The response to an error: `detail` says what to do. Internal errors reveal no details. */
export function answerTo(error: unknown): ErrorAnswer {
  if (isAppError(error)) {
    const { code, detail, reason, errors, retryAfterSeconds } = error;
    return { status: appStatuses[code], detail, ...reason, errors, retryAfterSeconds };
  }
  if (error instanceof RequestValidationError) {
    const errors = fieldErrors(error);
    return { status: 400, detail: sentenceOf(errors), code: 'fields_invalid', errors };
  }
  if (isDriverError(error)) return toDriver(error.kind, error.message, error.options.holder);
  if (isStoreError(error)) return toStore(error.kind, error.key);
  if (error instanceof HttpError) {
    const { code, params, text } = error.reason;
    return { status: error.status, detail: text, code, params };
  }
  return toHttp(error) ?? internal;
}

const internal: ErrorAnswer = {
  status: 500,
  code: 'internal',
  detail: 'Internal server error. The log has the cause under this request id.',
};

function toDriver(kind: DriverErrorKind, message: string, holder: string | undefined): ErrorAnswer {
  const status = driverStatuses[kind];
  if (kind === 'locked') {
    const by = holder ? `by ${holder}` : 'by another process';
    const detail = `The repository is locked ${by}. Try again later, or break the lock if nothing uses the repository.`;
    const code = holder ? 'repository_locked' : 'repository_locked_unknown';
    return {
      ...{ status, detail, code, retryAfterSeconds: retryLocked },
      ...(holder ? { params: { holder } } : {}),
    };
  }
  return {
    status,
    detail: message,
    code: `tool_${kind}`,
    ...(kind === 'connection' ? { retryAfterSeconds: retryConnection } : {}),
  };
}

function toStore(kind: string, key: string | undefined): ErrorAnswer {
  if (kind === 'unique')
    return {
      status: 409,
      detail: `This ${key ?? 'value'} is already in use. Choose another one.`,
      code: 'value_in_use',
      params: { field: key ?? 'value' },
    };
  if (kind === 'conflict') {
    return {
      status: 503,
      detail: 'Another request changed the same data. Try again.',
      code: 'storage_conflict',
      retryAfterSeconds: 1,
    };
  }
  if (kind !== 'unavailable') return internal;
  return {
    status: 503,
    detail: 'The database does not respond. Try again later.',
    code: 'storage_unavailable',
    retryAfterSeconds: retryStorage,
  };
}

const bodyErrors: Record<string, string> = {
  'entity.parse.failed': 'The body is not valid JSON.',
  'entity.too.large': 'The body is larger than 1 MB.',
  'parameters.too.many': 'The form has too many fields.',
  'request.aborted': 'The request was aborted.',
  'request.size.invalid': 'The length of the body does not match Content-Length.',
  'charset.unsupported': 'Send the body in UTF-8.',
  'encoding.unsupported': 'Send the body uncompressed, or with gzip or deflate.',
};

/** Errors from express and its body parsers, identified by `type` and `status`. */
function toHttp(error: unknown): ErrorAnswer | null {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  const known = typeof type === 'string' ? bodyErrors[type] : undefined;
  if (!known) {
    return {
      status,
      detail: 'The request is malformed. Check its URL and encoding.',
      code: 'request_malformed',
    };
  }
  return { status, detail: known, code: String(type).replaceAll('.', '_') };
}

/** The body of an error response, without secrets. */
export function bodyOf({ detail, code, params = {}, errors }: ErrorAnswer, redactor: Redactor) {
  const redacted = (value: string) => redactor.redact(value);
  const shown = Object.entries(params).map(([name, value]) => {
    if (typeof value === 'number') return [name, value] as const;
    return [name, typeof value === 'string' ? redacted(value) : value.map(redacted)] as const;
  });
  return {
    ...{ detail: redacted(detail), code },
    ...(shown.length > 0 ? { params: Object.fromEntries(shown) } : {}),
    ...(errors ? { errors } : {}),
  };
}

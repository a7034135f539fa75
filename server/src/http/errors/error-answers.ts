import {
  type AppErrorCode,
  type FieldError,
  isAppError,
  type Message,
  type MessageParams,
  mapParams,
  messageOf,
  type otherCodes,
  type Redactor,
  repositoryLocked,
  type SecondFactorDue,
  say,
  unexpected,
} from '@holdfast/core/server';
import { isStoreError, type StoreError, type StoreErrorKind } from '@holdfast/plugin-api';
import { type DriverError, type DriverErrorKind, isDriverError } from '@holdfast/plugin-api/driver';
import { isSilent } from '@holdfast/plugin-api/files';
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
  secondFactor?: SecondFactorDue | undefined;
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
  archive_unsigned: 409,
  older_state: 409,
  append_only: 409,
  no_space: 503,
  quota: 503,
  repository_quota: 503,
  permission: 400,
  connection: 503,
  host_key_changed: 409,
  tool_missing: 503,
  tool_too_old: 503,
  usage: 500,
  failed: 500,
};

/** Seconds after which a retry makes sense. */
const retries: Partial<Record<DriverErrorKind, number>> = { locked: 10, connection: 30 };

const storeAnswers: Record<StoreErrorKind, { status: number; retryAfterSeconds?: number }> = {
  unique: { status: 409 },
  conflict: { status: 503, retryAfterSeconds: 1 },
  unavailable: { status: 503, retryAfterSeconds: 5 },
  invalid: { status: 500 },
};

/** The response to an error: `detail` says what to do. Internal errors reveal no details. */
export function answerTo(error: unknown): ErrorAnswer {
  if (error instanceof RequestValidationError) {
    const errors = fieldErrors(error);
    const code: keyof typeof otherCodes = 'fields_invalid';
    return { status: 400, detail: sentenceOf(errors), code, errors };
  }
  if (error instanceof HttpError) return saying(error.reason, error.status);
  if (isAppError(error)) {
    const { errors, retryAfterSeconds, secondFactor } = error;
    return { ...saying(messageOf(error), appStatuses[error.code]), errors, retryAfterSeconds, secondFactor };
  }
  if (isDriverError(error)) return toDriver(error);
  if (isSilent(error)) return { ...saying(messageOf(error), 503), retryAfterSeconds: 30 };
  if (isStoreError(error)) return toStore(error);
  return toHttp(error) ?? saying(unexpected, 500);
}

const saying = ({ code, params, text }: Message, status: number): ErrorAnswer => ({
  status,
  detail: text,
  code,
  params,
});

function toDriver(error: DriverError): ErrorAnswer {
  const { kind, options } = error;
  const message = kind === 'locked' ? repositoryLocked(options.holder) : messageOf(error);
  const retryAfterSeconds = retries[kind];
  return {
    ...saying(message, driverStatuses[kind]),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function toStore(error: StoreError): ErrorAnswer {
  const { status, ...retry } = storeAnswers[error.kind];
  return { ...saying(messageOf(error), status), ...retry };
}

const bodyErrors: Record<string, Message> = {
  'entity.parse.failed': say`entity_parse_failed: The body is not valid JSON.`,
  'entity.too.large': say`entity_too_large: The body is larger than 1 MB.`,
  'parameters.too.many': say`parameters_too_many: The form has too many fields.`,
  'request.aborted': say`request_aborted: The request was aborted.`,
  'request.size.invalid': say`request_size_invalid: The length of the body does not match Content-Length.`,
  'charset.unsupported': say`charset_unsupported: Send the body in UTF-8.`,
  'encoding.unsupported': say`encoding_unsupported: Send the body uncompressed, or with gzip or deflate.`,
};

/** Errors from express and its body parsers, identified by `type` and `status`. */
function toHttp(error: unknown): ErrorAnswer | null {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  const known = typeof type === 'string' ? bodyErrors[type] : undefined;
  const malformed = say`request_malformed: The request is malformed. Check its URL and encoding.`;
  return saying(known ?? malformed, status);
}

/** The body of an error response, without secrets. */
export function bodyOf({ detail, code, params = {}, errors, secondFactor }: ErrorAnswer, redactor: Redactor) {
  const redacted = (value: string) => redactor.redact(value);
  return {
    detail: redacted(detail),
    code,
    ...(Object.keys(params).length > 0 ? { params: mapParams(params, redacted) } : {}),
    ...(errors ? { errors } : {}),
    ...(secondFactor ? { second_factor: secondFactor } : {}),
  };
}

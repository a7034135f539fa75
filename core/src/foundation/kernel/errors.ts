import type { Message } from '@holdfast/plugin-api';

/**
 * The kinds of failure that a caller of the HTTP API can act on. The server maps them to statuses in one
 * file.
 */
export type AppErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'too_many'
  | 'unavailable'
  | 'internal';

export interface FieldError {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  cause?: unknown;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  errors?: FieldError[];
  secondFactor?: SecondFactorDue;
}

/** With AppError `unauthenticated`: the password is right, and the second factor is asked for. */
export interface SecondFactorDue {
  challenge: string;
  methods: SecondFactorMethod[];
  /** Seconds. */
  expires_in: number;
}
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_code';

/**
 * The only error that use cases throw on purpose. `detail` is shown to the caller unchanged: it says what to
 * do and never contains secrets or internals.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly retryAfterSeconds: number | undefined;
  readonly errors: FieldError[] | undefined;
  readonly secondFactor: SecondFactorDue | undefined;
  readonly detail: string;

  constructor(
    readonly code: AppErrorCode,
    /** The sentence with its stable code and values. */
    readonly reason: Message,
    options: AppErrorOptions = {},
  ) {
    super(reason.text, options.cause === undefined ? undefined : { cause: options.cause });
    this.detail = reason.text;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.errors = options.errors;
    this.secondFactor = options.secondFactor;
  }
}

export const invalid = (message: Message, options?: AppErrorOptions) =>
  new AppError('invalid', message, options);
export const notFound = (message: Message, options?: AppErrorOptions) =>
  new AppError('not_found', message, options);
export const conflict = (message: Message, options?: AppErrorOptions) =>
  new AppError('conflict', message, options);
export const forbidden = (message: Message, options?: AppErrorOptions) =>
  new AppError('forbidden', message, options);

/** True for an AppError from any copy of this package: plugins may bundle their own. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError';
}

/**
 * Why an operation on a remote host failed. A host that does not answer is `timeout`; anything unexpected is
 * `failed`.
 */
export type RemoteHostErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'authentication'
  | 'host_key_changed'
  | 'protocol'
  | 'refused'
  | 'missing'
  | 'permission'
  | 'disk_full'
  | 'cancelled'
  | 'failed';

/**
 * Thrown by the remote host port. The message can be shown to users: it names the step and contains no
 * secret.
 */
export class RemoteHostError extends Error {
  override readonly name = 'RemoteHostError';
  constructor(
    readonly kind: RemoteHostErrorKind,
    readonly sentence: Message | string,
    readonly options: {
      /** What was being done: `connect`, `sign in`, `deploy the key`, … */
      step: string;
      /** With `host_key_changed`: the key that the host offered, as `type base64`, and both fingerprints. */
      hostKeys?: { offered: string; offeredFingerprint: string; pinnedFingerprint: string };
      /** The host key as `type base64`, if the host proved it before the failure. */
      seenHostKey?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(`${sentence}`, options.cause === undefined ? undefined : { cause: options.cause });
  }
  get step(): string {
    return this.options.step;
  }
  get hostKeys() {
    return this.options.hostKeys;
  }
}

export function isRemoteHostError(error: unknown, kind?: RemoteHostErrorKind): error is RemoteHostError {
  return (
    error instanceof Error &&
    error.name === 'RemoteHostError' &&
    (kind === undefined || (error as RemoteHostError).kind === kind)
  );
}

export type StoreErrorKind =
  /** A unique key is taken; `key` lists its columns, separated by commas. */
  | 'unique'
  /** The transaction conflicted with another one and may be retried as a whole. */
  | 'conflict'
  /** The database is unreachable or full. A later attempt may succeed. */
  | 'unavailable'
  /** The request was wrong (unknown column, value of the wrong type). */
  | 'invalid';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    readonly options: { key?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
  get key(): string | undefined {
    return this.options.key;
  }
  get retryable(): boolean {
    return this.kind === 'conflict' || this.kind === 'unavailable';
  }
}

export function isStoreError(error: unknown, kind?: StoreErrorKind): error is StoreError {
  return (
    error instanceof Error &&
    error.name === 'StoreError' &&
    (kind === undefined || (error as StoreError).kind === kind)
  );
}

/** Why an operation of a backup tool failed. Closed list: a driver maps everything else to `failed`. */
export type DriverErrorKind =
  | 'cancelled'
  | 'passphrase_wrong'
  | 'key_missing'
  | 'repository_missing'
  | 'not_a_repository'
  /** Not the repository that the target expects. */
  | 'other_repository'
  | 'repository_exists'
  | 'path_not_empty'
  | 'archive_missing'
  | 'archive_exists'
  | 'path_missing'
  | 'locked'
  | 'damaged'
  /** Archives without a valid signature, whose data may be intact. `signArchives` heals them. */
  | 'archive_unsigned'
  /** The registered repository, but as it was before it was last used. */
  | 'older_state'
  /** The repository does not allow to remove anything. */
  | 'append_only'
  | 'no_space'
  /** The account or user that stores the repository may not store more. */
  | 'quota'
  /** The repository has a limit of its own. */
  | 'repository_quota'
  | 'permission'
  | 'connection'
  | 'host_key_changed'
  | 'tool_missing'
  | 'tool_too_old'
  | 'usage'
  | 'failed';

export class DriverError extends Error {
  override readonly name = 'DriverError';
  constructor(
    readonly kind: DriverErrorKind,
    /** Short, for people, without secrets. */
    message: string,
    /**
     * `archives`: for `damaged` and `archive_unsigned`, the names of these archives, if known. `wouldDelete`: archives
     * that a repair deletes, and that it was not allowed to.
     */
    readonly options: {
      exitCode?: number | null;
      holder?: string;
      archives?: readonly string[];
      wouldDelete?: readonly string[];
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
  get retryable(): boolean {
    return this.kind === 'locked' || this.kind === 'connection';
  }
}

/** Thrown by a notification transport. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly retryable: boolean;
  /** How long the receiver asks to be left alone. Only for a retryable error. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isDriverError(error: unknown, kind?: DriverErrorKind): error is DriverError {
  return (
    error instanceof Error &&
    error.name === 'DriverError' &&
    (kind === undefined || (error as DriverError).kind === kind)
  );
}

/** Thrown by a sign-in plugin: the person is not signed in, and asking the provider again would not change that. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

export const isSignInRefused = (error: unknown): error is SignInRefused =>
  error instanceof Error && error.name === 'SignInRefused';

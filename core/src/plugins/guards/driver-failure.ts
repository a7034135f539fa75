import { DriverError, type DriverErrorKind, isDriverError } from '@holdfast/plugin-api/driver';
import { reasonOf } from '../../kernel/index.js';
import type { Guarded } from './guarded.js';

const kinds: Record<DriverErrorKind, true> = {
  cancelled: true,
  passphrase_wrong: true,
  key_missing: true,
  repository_missing: true,
  not_a_repository: true,
  other_repository: true,
  repository_exists: true,
  path_not_empty: true,
  archive_missing: true,
  archive_exists: true,
  path_missing: true,
  locked: true,
  damaged: true,
  no_space: true,
  permission: true,
  connection: true,
  host_key_changed: true,
  tool_missing: true,
  tool_too_old: true,
  usage: true,
  failed: true,
};

/** Turns whatever a driver threw into a DriverError. */
export function driverFailure(error: unknown, { name }: Guarded, signal?: AbortSignal): DriverError {
  if (isDriverError(error) && Object.hasOwn(kinds, error.kind)) {
    // An error from another copy of the class may lack options.
    return typeof error.options === 'object' && error.options !== null
      ? error
      : new DriverError(error.kind, reasonOf(error), { cause: error });
  }
  if (signal?.aborted) return new DriverError('cancelled', `${name} was cancelled.`, { cause: error });
  return new DriverError('failed', `${name} failed: ${reasonOf(error)}.`, { cause: error });
}

/** True for a valid DriverResult. */
export const isResult = (result: unknown): boolean => {
  const { warnings } = (result ?? {}) as { warnings?: unknown };
  return (
    typeof result === 'object' &&
    result !== null &&
    'value' in result &&
    Array.isArray(warnings) &&
    warnings.every((warning) => typeof warning === 'string')
  );
};

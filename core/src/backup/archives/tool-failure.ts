import { type DriverErrorKind, isDriverError } from '@holdfast/plugin-api/driver';
import { AppError, conflict, type Message, messageOf, notFound, say } from '../../foundation/kernel/index.js';

type Make = (message: Message, holder: string | undefined) => AppError;

const retryAfterSeconds = 20;
const unavailable: Make = (message) => new AppError('unavailable', message, { retryAfterSeconds });

const byKind: Partial<Record<DriverErrorKind, Make>> = {
  archive_missing: () =>
    notFound(
      say`archive_not_in_repository: The archive is not in the repository: see GET /api/archives/list.`,
    ),
  path_missing: () => notFound(say`archive_file_missing: The archive has no such file.`),
  locked: (_, holder) =>
    conflict(
      holder === undefined
        ? say`archives_locked: The repository is locked by another program: try again when that has finished.`
        : say`archives_locked_by: The repository is locked by ${{ holder }}: try again when that has finished.`,
      { retryAfterSeconds },
    ),
  connection: unavailable,
  host_key_changed: (message) => conflict(message),
  other_repository: (message) => conflict(message),
  repository_missing: unavailable,
  tool_missing: unavailable,
  tool_too_old: unavailable,
  no_space: unavailable,
};

/** Turns a DriverError of a failed read into an AppError. Returns other errors unchanged. */
export function toolFailure(error: unknown): unknown {
  if (!isDriverError(error)) return error;
  const make = byKind[error.kind];
  if (make) return make(messageOf(error), error.options.holder);
  return new AppError('internal', say`reading_archive_failed: Borg failed: ${{ problem: error.message }}`, {
    cause: error,
  });
}

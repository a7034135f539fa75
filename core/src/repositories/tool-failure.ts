import { type DriverError, isDriverError } from '@holdfast/plugin-api/driver';
import { AppError, conflict, invalid } from '../kernel/index.js';

/** Turns a DriverError into an AppError that says what the caller can do. Returns other errors unchanged. */
export function toolFailure(error: unknown): unknown {
  if (!isDriverError(error)) return error;
  const cause = error;
  switch (error.kind) {
    case 'passphrase_wrong':
      return invalid('The passphrase is wrong for this repository: send the right one as `passphrase`.', {
        cause,
      });
    case 'key_missing':
      return invalid('This repository needs its key file: send its content as `keyfile_content`.', {
        cause,
      });
    case 'repository_missing':
      return invalid('There is no repository at this path: correct it, or create one there.', { cause });
    case 'not_a_repository':
      return invalid(
        'What is at this path is not a repository that the backup tool knows: correct the path.',
        {
          cause,
        },
      );
    case 'other_repository':
      return conflict(error.message, { cause });
    case 'repository_exists':
      return conflict('A repository already exists at this path: use POST /api/repositories/import.', {
        cause,
      });
    case 'path_not_empty':
      return invalid('The folder at this path contains other files: choose an empty or new one.', { cause });
    case 'permission':
      return invalid(
        `The service may not read or write at this path: change its owner or mode. ${error.message}`,
        { cause },
      );
    case 'usage':
      return invalid(error.message, { cause });
    case 'locked':
      return conflict(lockedDetail(error), { cause, retryAfterSeconds: 30 });
    case 'connection':
      return new AppError('unavailable', `The host can't be reached: ${error.message}`, { cause });
    case 'host_key_changed':
      return conflict(error.message, { cause });
    default:
      return new AppError('internal', error.message, { cause });
  }
}

const lockedDetail = ({ options }: DriverError): string =>
  `The repository is locked by ${options.holder ?? 'another program'}: wait until that has finished, then try again.`;

/** Runs a step with the tool and turns DriverErrors into AppErrors. */
export async function withTool<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toolFailure(error);
  }
}

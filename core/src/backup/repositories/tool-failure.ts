import { type DriverError, isDriverError } from '@holdfast/plugin-api/driver';
import { AppError, conflict, invalid, messageOf, say } from '../../foundation/kernel/index.js';

/** Turns a DriverError into an AppError that says what the caller can do. Returns other errors unchanged. */
export function toolFailure(error: unknown): unknown {
  if (!isDriverError(error)) return error;
  const cause = error;
  const problem = error.message;
  switch (error.kind) {
    case 'passphrase_wrong':
      return invalid(
        say`repository_passphrase_wrong: The passphrase is wrong for this repository: send the right one as \`passphrase\`.`,
        { cause },
      );
    case 'key_missing':
      return invalid(
        say`repository_key_file_needed: This repository needs its key file: send its content as \`keyfile_content\`.`,
        { cause },
      );
    case 'repository_missing':
      return invalid(
        say`repository_missing: There is no repository at this path: correct it, or create a repository.`,
        { cause },
      );
    case 'not_a_repository':
      return invalid(
        say`place_without_repository: There is no Borg repository at this path: correct the path.`,
        { cause },
      );
    case 'other_repository':
    case 'older_state':
    case 'archive_unsigned':
    case 'append_only':
      return conflict(messageOf(error), { cause });
    case 'repository_exists':
      return conflict(
        say`repository_exists: A repository already exists at this path: use POST /api/repositories/import.`,
        { cause },
      );
    case 'path_not_empty':
      return invalid(
        say`repository_folder_not_empty: The folder at this path contains other files: choose an empty or new one.`,
        { cause },
      );
    case 'permission':
      return invalid(
        say`repository_denied: Holdfast may not read or write at this path: change its owner or mode. ${{ problem }}`,
        { cause },
      );
    case 'usage':
      return invalid(messageOf(error), { cause });
    case 'locked':
      return conflict(locked(error), { cause, retryAfterSeconds: 30 });
    case 'connection':
      return new AppError(
        'unavailable',
        say`repository_host_unreachable: The host can't be reached: ${{ problem }}`,
        { cause },
      );
    case 'host_key_changed':
      return conflict(messageOf(error), { cause });
    default:
      return new AppError('internal', messageOf(error), { cause });
  }
}

const locked = ({ options: { holder } }: DriverError) =>
  holder === undefined
    ? say`repository_lock_held: The repository is locked by another program: wait until that has finished, then try again.`
    : say`repository_lock_held_by: The repository is locked by ${{ holder }}: wait until that has finished, then try again.`;

/** Runs a step with the tool and turns DriverErrors into AppErrors. */
export async function withTool<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toolFailure(error);
  }
}

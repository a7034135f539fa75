import { AppError } from '../kernel/errors.js';

/** What the data folder of the service may be short of for a while, by the code of the file system's error. */
const troubles: Record<string, string> = {
  ENOSPC: 'has no space left',
  EDQUOT: 'has no space left',
  EROFS: 'is read-only',
  EACCES: "can't be written",
  EPERM: "can't be written",
  EIO: "can't be written: its disk reports errors",
  EMFILE: "can't be opened: the service has too many open files",
  ENFILE: "can't be opened: this machine has too many open files",
};

/** The answer for an error of the data folder; any other error comes back as it is. */
export function folderTrouble(error: unknown): unknown {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  // What Node makes of a read-only disk where a folder is to be made with its parents.
  const trouble = code === 'ENOENT' && syscall === 'mkdir' ? troubles.EROFS : troubles[code];
  if (trouble === undefined) return error;
  return new AppError(
    'unavailable',
    `The data folder of the service ${trouble}: the listing can't be made.`,
    {
      cause: error,
    },
  );
}

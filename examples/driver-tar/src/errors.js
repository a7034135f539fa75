import { DriverError } from '@holdfast/plugin-api/driver';

/** Exit codes of the scripts that tar itself does not use. */
export const codes = { locked: 75, archiveExists: 76, unfed: 77, archiveMissing: 78 };

/** @type {Record<number, [import('@holdfast/plugin-api/driver').DriverErrorKind, string]>} */
const byCode = {
  [codes.archiveExists]: ['archive_exists', 'There is already an archive with this name.'],
  [codes.archiveMissing]: ['archive_missing', 'There is no archive with this name.'],
};

/** @type {[RegExp, import('@holdfast/plugin-api/driver').DriverErrorKind, string][]} */
const byMessage = [
  [/Not found in archive/, 'path_missing', 'The archive does not contain this path.'],
  [/No space left on device|Disk quota exceeded/, 'no_space', 'There is no space left for the repository.'],
  [
    /^gzip: |Unexpected EOF|does not look like a tar|Skipping to next header/m,
    'damaged',
    'The archive is damaged.',
  ],
  [/Permission denied|Read-only file system/, 'permission', 'The repository may not be read or written.'],
];

/** The DriverError for a tool that ended this way. */
export function errorOf({ code, error, stderr, holder }) {
  if (error?.code === 'ENOENT') return new DriverError('tool_missing', 'There is no /bin/sh.');
  if (code === codes.locked) {
    const who = holder ?? 'a process that has ended since';
    return new DriverError('locked', `The repository is in use by ${who}.`, { exitCode: code, holder: who });
  }
  const [, ...found] = byMessage.find(([pattern]) => pattern.test(stderr)) ?? [];
  const [kind, message] = byCode[code] ?? found;
  if (kind) return new DriverError(kind, message, { exitCode: code });
  const last = stderr.trim().split('\n').at(-1);
  return new DriverError('failed', `tar failed: ${last || `exit code ${code}`}`, { exitCode: code });
}

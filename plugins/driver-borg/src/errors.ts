import { DriverError, type DriverErrorKind } from '@holdfast/plugin-api/driver';
import { ownDiskFull } from './own-folder.js';
import { isTraceback, type LoggedMessage } from './parse/tool-log.js';
import type { ToolExit } from './process.js';
import { entryOf, kindOfCode } from './tool-errors.js';
import { viewProblem } from './view.js';

/**
 * An error of the operating system takes precedence over the message in which the tool wraps it (a lock that can't be
 * written).
 */
const causes: [RegExp, DriverErrorKind][] = [
  [/\[Errno 28\]|No space left on device/, 'no_space'],
  // 69 is FreeBSD's number, 122 that of Linux.
  [/\[Errno (69|122)\]|Dis[ck] quota exceeded/i, 'quota'],
  [/ is in append-only mode/, 'append_only'],
  [/\[Errno (13|1|30)\]|Permission denied|Read-only file system/, 'permission'],
];

const explanations: Partial<Record<DriverErrorKind, string>> = {
  cancelled: 'The operation was cancelled.',
  passphrase_wrong: 'The passphrase does not open the repository.',
  key_missing: 'The key of the repository is missing or belongs to another repository. Upload the key file.',
  repository_missing: 'There is no repository at this location.',
  not_a_repository: 'This location does not contain a Borg repository.',
  other_repository: 'The repository at this location is not the registered one.',
  repository_exists: 'There is already a Borg repository at or above this location.',
  path_not_empty: 'The location is in use: it must be an empty folder or not exist.',
  archive_missing: 'There is no archive with this name.',
  archive_exists: 'There is already an archive with this name.',
  path_missing: 'The archive does not contain this path.',
  no_space: 'The disk of the repository is full. Free some space and try again.',
  quota:
    'The account that stores the repository has used up its quota. Get more space there, or delete archives and ' +
    'compact; if not even that works, remove other files of the account first.',
  repository_quota:
    'The repository has reached its own storage quota (storage_quota in its config). Raise it, or delete archives ' +
    'and compact.',
  archive_unsigned:
    'Archives of this repository are not signed: Borg before 1.2.5 created or renamed them. Their data is ' +
    'intact, but this version refuses them. Sign them; a repair would delete them.',
  older_state:
    'The repository is in an older state than when it was last used. Was it put back from a snapshot or a copy?',
  append_only: 'The repository is append-only: it keeps everything until its owner changes that.',
};

/** The error of a failed run: by message id first, then by exit code. */
export function errorOf(exit: ToolExit): DriverError {
  if (exit.stopped) return new DriverError('cancelled', explain('cancelled', null), { exitCode: exit.code });
  if (exit.spawnError) return spawnFailure(exit.spawnError);
  const starter = exit.log.plain.find((line) => /^(setpriv|nice|gate): /.test(line));
  if (starter !== undefined && (exit.code === 126 || exit.code === 127))
    return new DriverError('tool_missing', notStarted(starter));
  const hidden = exit.log.plain.find((line) => line.startsWith(viewProblem));
  if (hidden !== undefined && exit.code === 126)
    return new DriverError('failed', sentence(hidden.slice(viewProblem.length)));
  const kind = kindOf(exit);
  const text =
    kind === 'no_space' && isOwnDisk(exit)
      ? ownDiskFull
      : (wordsOf(exit, kind) ?? explain(kind, mainMessage(exit)));
  return new DriverError(kind, text, { exitCode: exit.code });
}

/** Borg's caches are in the data folder: what failed last in its stack is the cache, not the repository. */
function isOwnDisk({ log }: ToolExit): boolean {
  const traceback = log.errors.map(({ text }) => text).find(isTraceback) ?? '';
  const [cache = -1, repository = -1] = ['cache', 'repository'].map((file) =>
    traceback.lastIndexOf(`/borg/${file}.py`),
  );
  return cache > repository && !/Remote Exception/.test(traceback);
}

function kindOf(exit: ToolExit): DriverErrorKind {
  const text = [...exit.log.errors.map((message) => message.text), ...exit.log.plain].join('\n');
  const kinds = exit.log.errors.flatMap(({ msgid }) => entryOf(msgid)?.[0] ?? []);
  if (kinds.includes('connection')) return 'connection';
  const cause = causes.find(([pattern]) => pattern.test(text));
  if (cause) return cause[1];
  if (kinds[0] !== undefined) return kinds[0];
  if (exit.log.crash?.startsWith('re.')) return 'usage'; // Python could not compile an exclude pattern.
  if (exit.log.errors.length === 0 && exit.code === 2 && /^usage: /m.test(text)) return 'usage';
  return kindOfCode(exit.code) ?? 'failed';
}

/** `names` may be empty: not every command of the tool tells them. */
export const unsignedArchives = (names: readonly string[]): DriverError =>
  new DriverError(
    'archive_unsigned',
    [
      ...(names.length > 0 ? [`Not signed: ${names.slice(0, 20).join(', ')}.`] : []),
      explanations.archive_unsigned,
    ].join(' '),
    { archives: names },
  );

/** The words of the table, if they belong to this kind. */
const wordsOf = ({ log }: ToolExit, kind: DriverErrorKind): string | undefined =>
  log.errors.map(({ msgid }) => entryOf(msgid)).find((entry) => entry?.[0] === kind)?.[2];

function explain(kind: DriverErrorKind, message: string | null): string {
  return explanations[kind] ?? message ?? 'Borg ended without a message.';
}

/** Messages whose cause their own words don't name. */
const otherWords: [RegExp, string][] = [
  [
    /^FileExistsError: .* -> /,
    'The file system of the repository cannot replace a file by renaming another, which Borg needs. Mount it ' +
      'in another way, or keep the repository on the host itself and reach it by SSH.',
  ],
  [
    /Operation not supported/,
    'The file system of the repository lacks an operation that Borg needs, as some CIFS, NFS and FUSE mounts do. ' +
      'Mount it in another way, or keep the repository on the host itself and reach it by SSH.',
  ],
  [
    /hardlinks not supported/,
    'The file system of the repository has no hard links, as is usual on CIFS and some NFS shares. The repository is ' +
      'whole; after a change of the passphrase, an old copy of the key may remain readable on its disk.',
  ],
];

const inWords = (text: string): string | undefined => otherWords.find(([pattern]) => pattern.test(text))?.[1];

/** The tool's own message, without internals. */
export function mainMessage(exit: ToolExit): string | null {
  const error = exit.log.errors.find(
    (message) => !isTraceback(message.text) && message.text !== 'Local Exception',
  );
  if (error) return (error.msgid === 'LockFailed' ? inWords(error.text) : undefined) ?? sentence(error.text);
  const inside = exit.log.errors.find((message) => isTraceback(message.text));
  const last = inside ? exceptionOf(inside.text) : (exit.log.crash ?? exit.log.plain.at(-1));
  if (last !== undefined) return inWords(last) ?? sentence(last);
  return exit.signal === null && exit.code !== null && exit.code < 128
    ? null
    : `Borg was killed from outside (${exit.signal ?? `signal ${Number(exit.code) - 128}`}).`;
}

/** The first line after the (indented) frames. */
const exceptionOf = (traceback: string): string | undefined =>
  traceback.split('\n').find((line, index) => index > 0 && /^\w/.test(line));

/** Formats a text as one line that ends like a sentence. */
export function sentence(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/\[Errno \d+\] /g, '')
    .trim()
    .slice(0, 1000);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

const notStarted = (reason: string) =>
  /\/bin\/sh\b/.test(reason)
    ? 'Borg could not be started: it needs /bin/sh on this server.'
    : 'Borg could not be started. Install Borg 1.2 or 1.4.';

function spawnFailure(cause: Error): DriverError {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'EACCES')
    return new DriverError('tool_missing', notStarted(cause.message), { cause });
  const reason =
    code === 'EMFILE' || code === 'ENFILE'
      ? 'Holdfast has too many open files; raise the limit (ulimit -n)'
      : (code ?? 'unknown reason');
  return new DriverError('failed', `Borg could not be started: ${reason}.`, { cause });
}

/** The warnings of a successful run, as sentences. */
export function warningsOf(exit: ToolExit): string[] {
  const shown = exit.log.warnings.filter(({ text }) => !/^(Killed|Removed) stale /.test(text));
  const lines = shown.map(({ text }: LoggedMessage) => inWords(text) ?? sentence(text));
  if (exit.log.omittedWarnings > 0) lines.push(`${exit.log.omittedWarnings} more warnings are in the log.`);
  if (lines.length > 0 || exit.log.unread.changedFiles > 0) return lines;
  return ['Borg ended with a warning but gave no reason.'];
}

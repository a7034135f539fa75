import type { DriverErrorKind } from '@holdfast/plugin-api/driver';

/** The kind, the exit code with `BORG_EXIT_CODES=modern`, and words where those of the kind don't fit. */
type Entry = readonly [DriverErrorKind, code: number | null, words?: string];

const twoUsed =
  'This repository or a copy of it with the same id was changed by another client. Use only one of them: ' +
  'writing to both destroys data.';
const newer = 'The repository was created by a newer version of Borg. Install that version.';
const manifest =
  'The list of archives is not signed as it should be: it may have been tampered with, or Borg before ' +
  '1.0.9 wrote it. Do not repair the repository; compare with a copy first.';
const lockLost = 'Another program removed the lock of the repository during the work. Try again.';

/** Every error of borg 1.1, 1.2 and 1.4 by its message id. An error without an entry is `failed`. */
export const toolErrors: Readonly<Record<string, Entry>> = {
  'Archive.AlreadyExists': ['archive_exists', 30],
  'Archive.DoesNotExist': ['archive_missing', 31],
  'Archive.IncompatibleFilesystemEncodingError': ['usage', 32],
  ArchiveTAMInvalid: ['archive_unsigned', 95],
  ArchiveTAMRequiredError: ['archive_unsigned', 96],
  'Buffer.MemoryLimitExceeded': ['failed', null],
  'Cache.CacheInitAbortedError': ['other_repository', 60],
  'Cache.EncryptionMethodMismatch': ['other_repository', 61],
  'Cache.RepositoryAccessAborted': ['other_repository', 62],
  'Cache.RepositoryIDNotUnique': ['older_state', 63, twoUsed],
  'Cache.RepositoryReplay': ['older_state', 64],
  CancelledByUser: ['cancelled', 3],
  CommandError: ['usage', 4],
  ConnectionBrokenWithHint: ['connection', 87],
  ConnectionClosed: ['connection', 80],
  ConnectionClosedWithHint: ['connection', 81],
  DecompressionError: ['damaged', 92],
  'EfficientCollectionQueue.SizeUnderflow': ['failed', null],
  ErrorWithTraceback: ['failed', null],
  ExtensionModuleError: ['tool_missing', null, 'Borg is not installed completely. Install it again.'],
  FileIntegrityError: ['damaged', 91],
  IntegrityError: ['damaged', 90],
  InvalidPlaceholder: ['usage', 6],
  InvalidRPCMethod: ['tool_too_old', 82, 'Borg on the host of the repository is too old.'],
  KeyfileInvalidError: ['key_missing', 40],
  KeyfileMismatchError: ['key_missing', 41],
  KeyfileNotFoundError: ['key_missing', 42],
  LockError: ['locked', 70],
  LockErrorT: ['locked', 71],
  LockFailed: ['failed', 72],
  LockTimeout: ['locked', 73],
  MandatoryFeatureUnsupported: ['tool_too_old', 25, newer],
  NoManifestError: ['damaged', 26],
  NoPassphraseFailure: ['passphrase_wrong', 50],
  NotABorgKeyFile: ['key_missing', 43],
  NotLocked: ['failed', 74, lockLost],
  NotMyLock: ['failed', 75, lockLost],
  PasscommandFailure: ['failed', 51],
  PassphraseWrong: ['passphrase_wrong', 52],
  PasswordRetriesExceeded: ['passphrase_wrong', 53],
  PathNotAllowed: [
    'permission',
    83,
    'The key of this account may use other paths only (borg serve --restrict-to-path). Correct the path, or the ' +
      'line in authorized_keys.',
  ],
  PlaceholderError: ['usage', 5],
  PythonLibcTooOld: ['tool_missing', null, 'This build of Borg does not run here. Install another build.'],
  'RemoteRepository.RPCServerOutdated': ['tool_too_old', 84],
  RTError: ['failed', null],
  RepoIdMismatch: ['key_missing', 45],
  RepoKeyNotFoundError: ['key_missing', 44],
  'Repository.AlreadyExists': ['repository_exists', 10],
  'Repository.AtticRepository': ['not_a_repository', 11],
  'Repository.CheckNeeded': ['damaged', 12],
  'Repository.DoesNotExist': ['repository_missing', 13],
  'Repository.InsufficientFreeSpaceError': ['no_space', 14],
  'Repository.InvalidRepository': ['not_a_repository', 15],
  'Repository.InvalidRepositoryConfig': ['damaged', 16],
  'Repository.ObjectNotFound': ['damaged', 17],
  'Repository.ParentPathDoesNotExist': ['repository_missing', 18],
  'Repository.PathAlreadyExists': ['path_not_empty', 19],
  'Repository.PathPermissionDenied': ['permission', 21],
  'Repository.StorageQuotaExceeded': ['repository_quota', 20],
  TAMInvalid: ['failed', 97, manifest],
  TAMRequiredError: ['failed', 98, manifest],
  TAMUnsupportedSuiteError: ['tool_too_old', 99, newer],
  UnencryptedRepo: ['usage', 46],
  UnexpectedRPCDataFormatFromClient: ['connection', 85],
  UnexpectedRPCDataFormatFromServer: ['connection', 86],
  UnknownKeyType: ['tool_too_old', 47, newer],
  UnsupportedManifestError: ['tool_too_old', 27, newer],
  UnsupportedPayloadError: ['tool_too_old', 48, newer],
};

/** A server reports its own errors under their bare names. */
export const entryOf = (msgid: string | null): Entry | undefined =>
  toolErrors[msgid ?? ''] ?? toolErrors[`Repository.${msgid}`];

const kindsOfCodes = new Map(Object.values(toolErrors).map(([kind, code]) => [code, kind]));

export const kindOfCode = (code: number | null): DriverErrorKind | undefined =>
  code === null ? undefined : kindsOfCodes.get(code);

import type { Readable, Writable } from 'node:stream';
import type { SpeedLimit } from './speed-limit.js';

export type Encryption =
  | 'repokey'
  | 'keyfile'
  | 'repokey-blake2'
  | 'keyfile-blake2'
  | 'authenticated'
  | 'authenticated-blake2'
  | 'none';

/**
 * Everything the tool needs to open one repository. Paths inside archives are JavaScript strings. A byte that is not
 * valid UTF-8 becomes the lone surrogate U+DC00 + byte, so that every name survives a round trip.
 */
export interface RepositoryTarget {
  /** Stable, unguessable name of the repository. The tool's caches live in a folder with this name. */
  uid: string;
  /** Absolute local path, or `ssh://user@host:port/path`. */
  location: string;
  passphrase: string | null;
  /** Contents of the key file for the `keyfile*` encryptions. */
  keyFile: string | null;
  /** The tool's binary on the remote host. */
  remoteToolPath: string | null;
  /** The connection for an `ssh://` location. The service derives `transport` from it for each operation. */
  connectionId?: number | null;
  /** How to reach the host of an `ssh://` location; required for such locations. */
  transport?: SshTransport;
  /**
   * The registered repository. If another one is found, every operation rejects with DriverError `other_repository`
   * before it changes or returns anything. If absent, any repository is accepted, even an unencrypted one.
   */
  expected?: RepositoryIdentity;
}

export interface RepositoryIdentity {
  /** The tool's own id, hex. */
  id: string;
  encryption: Encryption;
}

/**
 * One remote account for OpenSSH's `ssh`: only this key and this host key are used. Files are absolute paths and may
 * contain any character except a line break.
 */
export interface SshTransport {
  connectionId: number;
  /** The private key, without passphrase. */
  keyFile: string;
  /** Contains the pinned host key under the name `hostKeyAlias`, and no other. */
  knownHostsFile: string;
  hostKeyAlias: string;
  /** `SHA256:…` of the pinned host key, for messages. */
  fingerprint: string;
  /** Of everything that is transferred over it. */
  speed?: SpeedLimit;
  /** The account through which the host is reached. */
  jump?: SshTransport & { username: string; host: string; port: number };
}

export interface OperationOptions {
  /**
   * Aborting ends the tool (interrupt, terminate, kill, each with a time limit) and rejects with DriverError
   * `cancelled`. If the tool had already finished its work, the result is returned instead.
   */
  signal?: AbortSignal;
  /**
   * Called right before each process of the tool is started, in the same turn of the event loop: a last chance to
   * abort `signal`, for example after the service was suspended.
   */
  beforeStart?(): void;
  /** At most a few times a second. */
  onProgress?(progress: ToolProgress): void;
  /** The tool's messages for people: one line each, without progress and without secrets. */
  onLog?(line: ToolLogLine): void;
  /**
   * Called with each process of the tool before it does anything: the process waits until the returned promise
   * resolves. If the promise rejects, `signal` is aborted or this service dies first, the process ends without having
   * begun, and the operation rejects. So another service can end every process that was recorded here (`endProcess`),
   * and a process that was not recorded has changed nothing.
   */
  onProcess?(process: ToolProcess): void | Promise<void>;
  /** How many seconds the tool waits for its own lock before DriverError `locked`. Default 1. */
  lockWaitSeconds?: number;
  /** Reads beside a running writer, without the tool's lock. Only for read operations. */
  bypassLock?: boolean;
}

/** Identifies a process even if its pid is reused. `host` is the machine's boot id. */
export interface ToolProcess {
  pid: number;
  startedAt: string;
  host: string;
}

export interface ToolLogLine {
  level: 'debug' | 'info' | 'warning' | 'error';
  text: string;
}

export interface ToolProgress {
  originalSize?: number;
  compressedSize?: number;
  deduplicatedSize?: number;
  files?: number;
  currentPath?: string;
  /** The current phase and its position, if the tool reports them. The units are the tool's own. */
  phase?: string;
  current?: number;
  total?: number;
  message?: string;
}

/** `warnings` holds one sentence for people each and is empty if all went well. Failures are thrown as DriverErrors. */
export interface DriverResult<T> {
  value: T;
  warnings: string[];
}

export interface ArchiveStats {
  /** Sizes in bytes; `files` is a count. */
  originalSize: number;
  compressedSize: number;
  deduplicatedSize: number;
  files: number;
}

export interface ArchiveSummary {
  /** The tool's own id, 64 hex digits. */
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  start: number;
  end: number | null;
  comment: string;
  hostname: string;
  username: string;
  /**
   * `valid`: this tool verified it. `unknown`: this tool can't tell. `none`: nor can it, but it renamed the archive, which
   * left no valid one. Absent: the tool has none.
   */
  signature?: 'valid' | 'unknown' | 'none';
}

export interface ArchiveDetails extends ArchiveSummary {
  /** Seconds. */
  duration: number;
  stats: ArchiveStats;
  commandLine: string[];
  chunkerParams: (string | number)[];
  /** Fraction of the tool's maximum archive size that is used. */
  maxArchiveSizeUsed: number | null;
}

export interface RepositorySummary extends RepositoryIdentity {
  lastModified: number | null;
  /** Bytes on disk of all archives together (compressed, deduplicated). */
  storedSize: number;
}

/** What can be told of a repository without reading the contents of its archives. */
export interface RepositoryContents extends RepositoryIdentity {
  lastModified: number | null;
  /** Oldest first, with unfinished ones, each with the command line that made it, if that is recorded. */
  archives: (ArchiveSummary & { commandLine: string[] })[];
}

export interface ArchiveEntry {
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** As `ls -l` shows it. */
  mode: string;
  user: string;
  group: string;
  /** The numbers of the owner where the archive was made. */
  uid?: number;
  gid?: number;
  /** Bytes. 0 for a further name of a hard-linked file: the first name has the size. */
  size: number;
  /** Milliseconds since the epoch, with a fraction for microseconds. */
  mtime: number;
  /** The first name of a hard-linked file. */
  hardLinkTarget: string | null;
  /** What a symlink points to. */
  symlinkTarget: string | null;
  /** False when the tool reports damage, and for `oversized`. */
  healthy: boolean;
  /** The tool would write more than `size`: only a forged or broken archive has such files. */
  oversized?: boolean;
}

export interface CreateArchiveInput {
  name: string;
  comment: string;
  /** Absolute paths. One that does not exist when the operation starts is reported as a warning. */
  sources: string[];
  excludePatterns: string[];
  /** For example `lz4` or `zstd,10`. */
  compression: string;
  /** Additional flags of the user, already checked by `checkCustomFlags`. */
  customFlags: string[];
  /** Only for a driver with `checkStreams`. They come first, whatever the patterns. */
  streams?: readonly ArchiveStream[];
  /** Only for a driver with `checkStreams`. A longer path may be below another. */
  overlays?: readonly Overlay[];
}

/** A file of an archive whose content is read while it is made, such as the dump of a database. */
export interface ArchiveStream {
  /** Its path in the archive: relative, below a folder that the service owns. */
  path: string;
  /**
   * Called once, when the tool is ready to read. If it rejects, or what it returns throws, the operation rejects and
   * makes no archive. What is written to `direct` comes first.
   */
  open(signal: AbortSignal, direct?: DirectStream): Promise<AsyncIterable<Buffer>>;
}

/** Where a program on this machine can write the content of a stream itself. */
export interface DirectStream {
  /** An open file descriptor. It stays open until the stream ends. */
  to: number;
  /** Changes with each byte that is written to it; null: none yet. */
  lastByte(): number | null;
  /** False once the tool reads no more. */
  isRead(): boolean;
}

/**
 * A folder that the tool finds at another place: it sees `from` at `path`, which is absolute and without symlinks. Other
 * mounts below `path` stay as they are.
 */
export interface Overlay {
  path: string;
  from: string;
}

/** Paths in the sources that could not be read, the first of them. */
export interface UnreadPaths {
  denied: string[];
  /** The disk or the file system failed, for example a network drive that went away. */
  failed: string[];
  /** How many more there are. */
  more: number;
}

export interface CreateArchiveResult {
  archive: ArchiveSummary;
  stats: ArchiveStats;
  /** Absent if the tool does not tell. */
  unread?: UnreadPaths;
  /** How many files changed while they were read. They are not among the warnings. */
  changedFiles?: number;
  /** Bytes on disk of the whole repository afterwards, if the tool reports them. */
  repositoryStoredSize: number | null;
}

/** A host whose data is pulled. */
export interface SourceHost {
  /** For messages: `user@host`. */
  name: string;
  /** The tool's binary on that host. */
  toolPath: string | null;
  /** Starts one program on the host. Each word arrives as a literal argument. Rejects with DriverError. */
  run(
    command: readonly string[],
    /** `stdout`: an open file descriptor that gets the output. Only on this machine. */
    options: { signal?: AbortSignal; stdout?: number },
  ): Promise<HostProcess>;
}

export interface HostProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /**
   * Settles when the program has ended and all its output has arrived. Rejects with DriverError when the connection
   * breaks.
   */
  exit: Promise<{ code: number | null; signal: string | null }>;
}

export interface PullArchiveInput extends CreateArchiveInput {
  host: SourceHost;
  /**
   * `tar`: the host only sends its data. `tool`: the tool runs on the host and writes to this repository itself, with
   * its passphrase. If that is impossible, `tar` is used and the log says so.
   */
  way: 'tar' | 'tool';
}

/**
 * What was found at the path of a source. `empty` is a folder without entries. Of a `symlink`, a backup tool saves
 * only the link itself. `silent`: its file system does not answer. `unknown`: not checked.
 */
export type SourceState = 'present' | 'missing' | 'empty' | 'symlink' | 'unreadable' | 'silent' | 'unknown';

export interface FoundSource {
  path: string;
  state: SourceState;
  /** Target of a symlink, if known. */
  pointsTo?: string;
  /** A symlink to a device or a pipe. */
  toSpecial?: boolean;
}

export interface PullArchiveResult extends CreateArchiveResult {
  way: 'tar' | 'tool';
  /**
   * False if the sources contain no file at all. Checked only for an archive without files, otherwise true.
   * Unreadable sources may contain files, so they count as true.
   */
  sourcesHaveFiles: boolean;
  /** What was found at each source; absent if unknown. */
  sources?: FoundSource[];
}

type Operation<I, O> = (
  target: RepositoryTarget,
  input: I,
  options?: OperationOptions,
) => Promise<DriverResult<O>>;

/**
 * The operations of a backup tool. A missing function is a missing capability. Operations may be called at any time
 * and in parallel, and reject only with a DriverError. Secrets never go into arguments, and into environment variables
 * only where the tool takes them nowhere else.
 */
export interface BackupDriver {
  /**
   * `line` is the tool's own output, for example `borg 1.2.4`. Asks the tool on each call. Rejects with
   * `tool_missing` or `tool_too_old`.
   */
  version(): Promise<{ name: string; version: string; line: string }>;
  /** Problems with the flags, one sentence each that names the flag; empty if all are allowed. Runs nothing. */
  checkCustomFlags(flags: string[]): string[];
  /**
   * Creates a repository and its missing parent folders; on failure nothing remains. Returns the key of `keyfile*`
   * encryptions. Rejects with `repository_exists`, `path_not_empty` or `permission`.
   */
  init: Operation<{ encryption: Encryption }, { id: string; keyFile: string | null }>;
  /** Opens an existing repository and describes it. */
  open: Operation<object, RepositorySummary>;
  createArchive: Operation<CreateArchiveInput, CreateArchiveResult>;
  /** Why archives can't hold `streams` and `overlays` here, one sentence per reason; empty if they can. Runs nothing. */
  checkStreams?(): string[];
  /**
   * As `createArchive`, for data on another host; paths are the host's own. Missing sources are reported as warnings;
   * rejects with `path_missing` if all are missing. Changes nothing on the host except the tool's own caches.
   */
  pullArchive?: Operation<PullArchiveInput, PullArchiveResult>;
  /** Why `pullArchive` by `tar` can't do this, one sentence per reason; empty if it can. Runs nothing. */
  checkPull?(input: Pick<CreateArchiveInput, 'excludePatterns' | 'customFlags'>): string[];
  /**
   * Which paths of the sources `createArchive` would leave out, with all below them. `unknown`: patterns that this can't
   * tell for. `oneFileSystem`: other file systems below a source are left out, too. Runs nothing.
   */
  excludes?(
    patterns: readonly string[],
    customFlags?: readonly string[],
  ): { excluded(path: string): boolean; unknown: string[]; oneFileSystem?: boolean };
  /** Removes the repository itself. Only for one that was just created and could not be registered. */
  destroy?: Operation<object, null>;
  /** Identity and archives at once, faster than `open` with `listArchives`. */
  look?: Operation<object, RepositoryContents>;
  /**
   * The id of the repository in a folder of this machine; null where there is none. Reads one file, and rejects when
   * its file system does not answer.
   */
  idAt?(location: string): Promise<string | null>;
  /** Oldest first, in the tool's order. With `checkpoints`, unfinished archives are included. */
  listArchives: Operation<{ checkpoints?: boolean }, ArchiveSummary[]>;
  archiveInfo: Operation<{ archive: string }, ArchiveDetails>;
  /**
   * Streams every entry in the tool's order; the tool waits for a slow reader. Leaving the loop early ends the tool.
   * Rejects with `archive_missing`.
   */
  listEntries(
    target: RepositoryTarget,
    input: { archive: string },
    options?: OperationOptions,
  ): AsyncIterable<ArchiveEntry[]>;
  /**
   * The contents of one regular file; for a hard-linked file, pass its first name. Destroying the stream ends the
   * tool. A failure destroys the stream with a DriverError, for example `archive_missing` or `path_missing`.
   */
  readFile(
    target: RepositoryTarget,
    input: { archive: string; path: string },
    options?: OperationOptions,
  ): Readable;
  /**
   * Extracts entries into an existing folder, under their full archive paths, with owners, modes, times, attributes
   * and holes as far as this process may set them. `paths` are paths in the archive and include everything below
   * them; an empty list means everything. Entries that could not be restored completely are reported as warnings; a
   * full disk rejects at once with `no_space`. After a failure, the files written so far remain. Rejects with
   * `archive_missing` or `path_missing`. `exact`: the paths are files and symlinks, to be compared only: a driver may
   * look for these paths alone, and leave out attributes, ACLs and flags. Absent: false. `exclude`: single entries that
   * are not written. `maxBytes`: what the listing announces; a driver ends the tool soon after it wrote more, and
   * rejects with `damaged`. `numericOwners`: owners by their numbers in the archive; absent: by name, where one is known.
   */
  extract?: Operation<
    {
      archive: string;
      paths: string[];
      folder: string;
      exact?: boolean;
      exclude?: readonly string[];
      maxBytes?: number;
      numericOwners?: boolean;
    },
    null
  >;
  /**
   * The chosen entries as a tar stream (ustar with GNU or pax extensions) under their full archive paths, names byte by
   * byte. `paths` as for `extract`; none lies inside another. Entries that tar can't hold are left out. Destroying the
   * stream ends the tool. A failure destroys the stream with a DriverError, for example `archive_missing`, or at the
   * end `path_missing`: without the end of the stream, its content is incomplete.
   */
  exportTar?(
    target: RepositoryTarget,
    input: { archive: string; paths: string[] },
    options?: OperationOptions,
  ): Readable;
  /** Deletes archives by exact name. Names that do not exist are returned in `missing`; they are not an error. */
  deleteArchives: Operation<{ archives: string[] }, { deleted: string[]; missing: string[] }>;
  /** Frees the space of deleted archives. `appendOnly`: the repository keeps what was deleted. */
  compact: Operation<object, { freedBytes: number | null; appendOnly?: boolean }>;
  /**
   * Rejects with `damaged` if it finds damage, and with `archive_unsigned`. `maxSeconds` checks only a part (of the
   * repository itself). `damagedArchives`: archives with files that lost content for good although the repository is
   * sound. A repair rejects with `damaged` and their names before it deletes an archive that is not in `mayDelete`,
   * with `archive_unsigned` while there is such an archive, and with `append_only`.
   */
  check?: Operation<
    { verifyData?: boolean; maxSeconds?: number; repair?: boolean; mayDelete?: readonly string[] },
    { partial: boolean; damagedArchives?: string[] }
  >;
  /**
   * Signs archives that have no valid signature: all that it finds, or those of `archives` if the tool can't tell. They
   * get other ids and keep their names; a tool that can only copy them records its own host. `onSigned` is called with
   * each name. If it is cut off, a copy `NAME.signing-<hex>` may stand in for an archive, and the next call goes on
   * from there. `warnings` say which were not signed.
   */
  signArchives?: Operation<{ archives: readonly string[]; onSigned(name: string): void }, null>;
  /** Describes who holds the tool's lock, or returns null. Changes nothing. */
  lockHolder(target: RepositoryTarget): Promise<string | null>;
  breakLock: Operation<object, null>;
  /** The key in the tool's export format, for the user to store. */
  exportKey: Operation<object, { text: string }>;
  /** Checks a key file's text against the repository (header, repository id); returns the text to store. */
  importKey: Operation<{ text: string }, { keyFile: string }>;
  /**
   * Replaces the passphrase; without the right one of `target`, rejects with `passphrase_wrong` and changes nothing. If
   * it is cut off, either opens the repository. Returns the key file that the new one opens; null for other encryptions.
   */
  changePassphrase?: Operation<{ passphrase: string }, { keyFile: string | null }>;
  /**
   * Ends a process left behind by an earlier run, if the pid still belongs to it. `elsewhere`: it belongs to another
   * machine.
   */
  endProcess(process: ToolProcess): Promise<'ended' | 'gone' | 'elsewhere'>;
  /** Removes the driver's local data for a repository (caches), never the repository itself. */
  forget(target: Pick<RepositoryTarget, 'uid'>): Promise<void>;
}

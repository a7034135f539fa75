import type { Readable, Writable } from 'node:stream';

export type Encryption =
  | 'repokey'
  | 'keyfile'
  | 'repokey-blake2'
  | 'keyfile-blake2'
  | 'authenticated'
  | 'authenticated-blake2'
  | 'none';

/**
 * Everything the tool needs to open one repository. Paths inside archives are JavaScript strings in which a
 * byte that isn't UTF-8 stands as the lone surrogate U+DC00 + byte, so that every name survives.
 */
export interface RepositoryTarget {
  /** Stable, unguessable name of the repository; the tool's own caches live in a folder of that name. */
  uid: string;
  /** Absolute local path, or `ssh://user@host:port/path`. */
  location: string;
  passphrase: string | null;
  /** Content of the key file for the `keyfile*` encryptions. */
  keyFile: string | null;
  /** The tool's binary on the remote host. */
  remoteToolPath: string | null;
  /** The connection that reaches an `ssh://` location; the service makes `transport` from it for each operation. */
  connectionId?: number | null;
  /** How to reach the host of an `ssh://` location; without it such a location can't be used. */
  transport?: SshTransport;
  /**
   * What was registered. Where another repository is, every operation rejects with DriverError `other_repository`
   * before it changes anything, and before it answers. Without it any is taken, also one without encryption.
   */
  expected?: RepositoryIdentity;
}

export interface RepositoryIdentity {
  /** The tool's own id, hex. */
  id: string;
  encryption: Encryption;
}

/**
 * One remote account for OpenSSH's `ssh`: this key, this host key and nothing else. Files are absolute paths and
 * may hold any character but a line break.
 */
export interface SshTransport {
  connectionId: number;
  /** The private key, without passphrase. */
  keyFile: string;
  /** Holds the pinned host key under the name `hostKeyAlias`, and no other. */
  knownHostsFile: string;
  hostKeyAlias: string;
  /** `SHA256:…` of the pinned host key, for messages. */
  fingerprint: string;
}

export interface OperationOptions {
  /**
   * Aborting ends the tool (interrupt, terminate, kill, each bounded) and rejects with DriverError
   * `cancelled`. When the tool had finished its work by then, the result is returned as it is.
   */
  signal?: AbortSignal;
  /**
   * Called right before each process of the tool is started, in the same turn: a last chance to abort `signal`,
   * for a service that stood still meanwhile.
   */
  beforeStart?(): void;
  /** At most a few times a second. */
  onProgress?(progress: ToolProgress): void;
  /** The tool's messages for people, one line each, without progress and without secrets. */
  onLog?(line: ToolLogLine): void;
  /**
   * Called with each process of the tool, before it does anything at all: it begins when the returned promise
   * resolves. When that rejects, when `signal` was aborted meanwhile, or when this service dies first, the
   * process ends without having begun, and the operation rejects. So what was noted here can be ended by another
   * service (`endProcess`), and what was not has changed nothing.
   */
  onProcess?(process: ToolProcess): void | Promise<void>;
  /** How long the tool waits for its own lock before DriverError `locked`. Default 1. */
  lockWaitSeconds?: number;
  /** Reads beside a running writer, without the tool's lock; only for reading operations. */
  bypassLock?: boolean;
}

/** Identifies a process beyond the reuse of its number. `host` is the machine's boot id. */
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
  /** A phase of the operation and its position, when the tool tells: both in the tool's own units. */
  phase?: string;
  current?: number;
  total?: number;
  message?: string;
}

/** `warnings` is empty when all went well; each is one sentence for people. Failures are DriverErrors. */
export interface DriverResult<T> {
  value: T;
  warnings: string[];
}

export interface ArchiveStats {
  /** Bytes, bytes, bytes, count. */
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
}

export interface ArchiveDetails extends ArchiveSummary {
  /** Seconds. */
  duration: number;
  stats: ArchiveStats;
  commandLine: string[];
  chunkerParams: (string | number)[];
  /** Fraction of the tool's maximal archive size that is used. */
  maxArchiveSizeUsed: number | null;
}

export interface RepositorySummary extends RepositoryIdentity {
  lastModified: number | null;
  /** Bytes on disk of all archives together (compressed, deduplicated). */
  storedSize: number;
}

export interface ArchiveEntry {
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** As `ls -l` shows it. */
  mode: string;
  user: string;
  group: string;
  /** Bytes; for a further name of a hard-linked file 0: its size is its target's. */
  size: number;
  /** Milliseconds since the epoch, with a fraction for microseconds. */
  mtime: number;
  /** The first name of a hard-linked file. */
  hardLinkTarget: string | null;
  /** What a symlink points to. */
  symlinkTarget: string | null;
  /** False when the tool reports damage. */
  healthy: boolean;
}

export interface CreateArchiveInput {
  name: string;
  comment: string;
  /** Absolute paths; each exists when the operation starts, else it is named in the warnings. */
  sources: string[];
  excludePatterns: string[];
  /** For example `lz4` or `zstd,10`. */
  compression: string;
  /** Further flags of the user, already checked by `checkCustomFlags`. */
  customFlags: string[];
}

export interface CreateArchiveResult {
  archive: ArchiveSummary;
  stats: ArchiveStats;
  /** Bytes on disk of the whole repository afterwards, when the tool tells. */
  repositoryStoredSize: number | null;
}

/** A host whose data is pulled. */
export interface SourceHost {
  /** For messages: `user@host`. */
  name: string;
  /** The tool's binary there. */
  toolPath: string | null;
  /** Starts one program there; every word reaches it as data. Rejects with DriverError. */
  run(command: readonly string[], options: { signal?: AbortSignal }): Promise<HostProcess>;
}

export interface HostProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Settles when the program ended and its output came whole. Rejects with DriverError when the connection broke. */
  exit: Promise<{ code: number | null; signal: string | null }>;
}

export interface PullArchiveInput extends CreateArchiveInput {
  host: SourceHost;
  /**
   * `tar`: the host only sends its data. `tool`: the tool runs on the host and writes to this repository itself,
   * with its passphrase; where it can't, `tar` is used and the log says so.
   */
  way: 'tar' | 'tool';
}

/**
 * What is at the place of a source, of which a backup tool saves what is there and no more: a folder counts as `empty`
 * without entries, and of a symlink only the link itself is saved. `unknown`: it was not looked at.
 */
export type SourceState = 'present' | 'missing' | 'empty' | 'symlink' | 'unreadable' | 'unknown';

export interface FoundSource {
  path: string;
  state: SourceState;
  /** Where a symlink leads to, when that is known. */
  pointsTo?: string;
}

export interface PullArchiveResult extends CreateArchiveResult {
  way: 'tar' | 'tool';
  /**
   * False when the sources hold no file at all; looked up only for an archive without files, else true. What can't be
   * read may hold files.
   */
  sourcesHaveFiles: boolean;
  /** What was found at each source; absent: that is not known. */
  sources?: FoundSource[];
}

type Operation<I, O> = (
  target: RepositoryTarget,
  input: I,
  options?: OperationOptions,
) => Promise<DriverResult<O>>;

/**
 * The operations of a backup tool. An absent function is an absent capability. Each may be called at any
 * time and side by side; each rejects with a DriverError only. Nothing secret ever goes into an argument or
 * an environment.
 */
export interface BackupDriver {
  /**
   * `line` as the tool prints it, for example `borg 1.2.4`. `tool_missing`, `tool_too_old`. Asks the tool
   * again each time.
   */
  version(): Promise<{ name: string; version: string; line: string }>;
  /** Problems of the flags, each a sentence that names the flag; empty when all are allowed. Runs nothing. */
  checkCustomFlags(flags: string[]): string[];
  /**
   * Makes a repository; missing parents are made. `repository_exists`, `path_not_empty`, `permission`. On
   * failure nothing remains. Key of `keyfile*`: in the result.
   */
  init: Operation<{ encryption: Encryption }, { id: string; keyFile: string | null }>;
  /** Opens an existing repository and says what it is. */
  open: Operation<object, RepositorySummary>;
  createArchive: Operation<CreateArchiveInput, CreateArchiveResult>;
  /**
   * As `createArchive`, of data on another host; its paths are the host's own. Missing sources are named in the
   * warnings; `path_missing` when all are. Nothing is changed on the host but the tool's own caches.
   */
  pullArchive?: Operation<PullArchiveInput, PullArchiveResult>;
  /** Why `pullArchive` by `tar` can't do what these ask for, each a sentence; empty when it can. Runs nothing. */
  checkPull?(input: Pick<CreateArchiveInput, 'excludePatterns' | 'customFlags'>): string[];
  /** Removes the repository itself: only for one that was made a moment ago and could not be registered. */
  destroy?: Operation<object, null>;
  /** Oldest first, as the tool lists. With `checkpoints` also unfinished ones. */
  listArchives: Operation<{ checkpoints?: boolean }, ArchiveSummary[]>;
  archiveInfo: Operation<{ archive: string }, ArchiveDetails>;
  /**
   * Every entry in the tool's order, streamed; the tool waits for a slow reader. Leaving the loop early ends
   * the tool. `archive_missing`.
   */
  listEntries(
    target: RepositoryTarget,
    input: { archive: string },
    options?: OperationOptions,
  ): AsyncIterable<ArchiveEntry[]>;
  /**
   * The content of one regular file (ask for the first name of a hard-linked one). Destroying the stream
   * ends the tool; a failure destroys it with a DriverError. `archive_missing`, `path_missing` may come as
   * the stream's error.
   */
  readFile(
    target: RepositoryTarget,
    input: { archive: string; path: string },
    options?: OperationOptions,
  ): Readable;
  /**
   * Brings entries back below an existing folder, under their full archive paths, with owners, modes, times, attributes
   * and holes as far as this process may set them. `paths`: as in the archive, each with all below it; none: everything.
   * What could not be brought back whole is a warning; a full disk is `no_space`, at once. On failure what was written
   * stays. `archive_missing`, `path_missing`.
   */
  extract?: Operation<{ archive: string; paths: string[]; folder: string }, null>;
  /** Deletes by exact name; names that are not there are in `missing` and no error. */
  deleteArchives: Operation<{ archives: string[] }, { deleted: string[]; missing: string[] }>;
  /** Frees the space of deleted archives. */
  compact: Operation<object, { freedBytes: number | null }>;
  /**
   * Finds damage: DriverError `damaged`. `maxSeconds` checks a part only (the repository itself). `damagedArchives`:
   * names of those with files that lost content for good, while the repository is sound.
   */
  check?: Operation<
    { verifyData?: boolean; maxSeconds?: number; repair?: boolean },
    { partial: boolean; damagedArchives?: string[] }
  >;
  /** Who holds the tool's lock, in words, or null. Only looks. */
  lockHolder(target: RepositoryTarget): Promise<string | null>;
  breakLock: Operation<object, null>;
  /** The key in the tool's export format, to be kept by the user. */
  exportKey: Operation<object, { text: string }>;
  /** Checks a key file's text against the repository (header, repository id); returns the text to store. */
  importKey: Operation<{ text: string }, { keyFile: string }>;
  /**
   * Ends a process that an earlier run left behind, when it still is that one. `elsewhere`: it belongs to
   * another machine.
   */
  endProcess(process: ToolProcess): Promise<'ended' | 'gone' | 'elsewhere'>;
  /** Removes what the driver keeps for a repository on this machine (caches), never the repository. */
  forget(target: Pick<RepositoryTarget, 'uid'>): Promise<void>;
}

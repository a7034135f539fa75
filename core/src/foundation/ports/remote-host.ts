import type { Duplex, Readable, Writable } from 'node:stream';
import type { SpeedLimit } from '@holdfast/plugin-api/driver';

/** How to reach one remote account. Holds secrets in plain text: keep it in memory only. */
export interface RemoteAccount {
  host: string;
  port: number;
  username: string;
  authentication: { privateKey: string } | { password: string };
  /** Pinned host key as `type base64`. Null on the first connection: any key is accepted and reported. */
  hostKey: string | null;
  /** `SHA256:…` that the first connection must show. */
  expectedFingerprint?: string | undefined;
  /** The account through which the host is reached. Its host key is pinned. */
  jump?: RemoteAccount | undefined;
  /** Of everything that is transferred over it. */
  speed?: SpeedLimit;
  /** `run` and `list` work as root, through sudo, and `test` tries that. */
  sudo?: boolean;
}

export interface SeenHostKey {
  /** `type base64`, as in a known-hosts line. */
  hostKey: string;
  /** `SHA256:…` as `ssh-keygen -lf` prints it. */
  fingerprint: string;
}

/** What the key may run on a host: any command, only `borg serve`, or neither. */
export type Allowed = 'commands' | 'borg_serve' | 'nothing';

export interface KeyDeployment {
  /** One line for `authorized_keys`, without options: `type base64 comment`. */
  publicKeyLine: string;
  /** True: the file is edited over SFTP. False: by commands of the remote shell. */
  sftp: boolean;
  /** Restricts the entry to `borg serve` below this path, optionally append-only. */
  restrict?: { path: string; appendOnly: boolean } | undefined;
}

/** Usage of one remote file system in bytes. `percentUsed` is as reported by the host. */
export interface RemoteStorageUsage {
  total: number;
  used: number;
  available: number;
  percentUsed: number;
}

export interface RemoteEntry {
  /** Bytes that are not UTF-8 are represented as lone surrogates. */
  name: string;
  type: 'directory' | 'file' | 'symlink' | 'other';
  /** Bytes; null unless it is a file. */
  size: number | null;
  /** Milliseconds since the epoch; null when the host does not report it. */
  modified: number | null;
  /** Permission bits (07777); null when the host does not report them. */
  mode: number | null;
}

export interface RemoteProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /**
   * Resolves when the command ended and its output is complete. Rejects with RemoteHostError when the
   * connection broke.
   */
  exit: Promise<{ code: number | null; signal: string | null }>;
}

export interface RemoteOptions {
  signal?: AbortSignal | undefined;
}
export interface RemoteFileOptions extends RemoteOptions {
  /** False: by commands of the remote shell, for hosts without SFTP. */
  sftp: boolean;
}

/**
 * A host reached over SSH. Every call opens its own connection with timeouts (10 s to connect, 15 s idle) and
 * rejects with RemoteHostError; `signal` ends it early. Paths are absolute. Paths and commands are quoted, so
 * they may contain any character.
 */
export interface RemoteHost {
  /** Whether an SSH server answers at its address, through its jump host, if any, only that one. Never rejects. */
  answers(address: { host: string; port: number }): Promise<boolean>;
  /** Signs in and tries what may be run. Succeeds once the host accepts the key or password, whatever it then allows. */
  test(account: RemoteAccount, options?: RemoteOptions): Promise<SeenHostKey & { allows: Allowed }>;
  /** Adds the key to `~/.ssh/authorized_keys` unless it is there. Other entries stay. Safe to repeat. */
  deployKey(
    account: RemoteAccount,
    deployment: KeyDeployment,
    options?: RemoteOptions,
  ): Promise<SeenHostKey & { added: boolean }>;
  /** Removes what `deployKey` just added with the same deployment. Does nothing when more was added since. */
  withdrawKey(account: RemoteAccount, deployment: KeyDeployment, options?: RemoteOptions): Promise<void>;
  /** Null when the host does not allow the command or the path is missing. */
  storageUsage(
    account: RemoteAccount,
    path: string,
    options?: RemoteOptions,
  ): Promise<RemoteStorageUsage | null>;
  /**
   * The entries of one directory, without `.` and `..`, in no order. Rejects with kind `missing` also when it
   * is not a directory.
   */
  list(account: RemoteAccount, path: string, options: RemoteFileOptions): Promise<RemoteEntry[]>;
  /**
   * Runs one program with its arguments, each quoted for a POSIX shell. Resolves when it has started.
   * `signal` ends the connection and with it the program. The caller reads stdout and stderr and ends stdin.
   * Only `exit` shows whether the output is complete: a broken connection ends the streams too.
   */
  run(account: RemoteAccount, command: readonly string[], options?: RemoteOptions): Promise<RemoteProcess>;
  /** Connects to a socket of the host, as the account, without sudo: an absolute path, or `address:port`. */
  connect(account: RemoteAccount, address: string, options?: RemoteOptions): Promise<Duplex>;
}

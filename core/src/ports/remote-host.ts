import type { Readable, Writable } from 'node:stream';

/** How to reach one remote account. Secrets in clear, only in memory. */
export interface RemoteAccount {
  host: string;
  port: number;
  username: string;
  authentication: { privateKey: string } | { password: string };
  /** Pinned host key as `type base64`; null: take what comes, once (first connection), and report it. */
  hostKey: string | null;
  /** `SHA256:…` that the first connection must show. */
  expectedFingerprint?: string | undefined;
}

export interface SeenHostKey {
  /** `type base64`, as in a known-hosts line. */
  hostKey: string;
  /** `SHA256:…` as `ssh-keygen -lf` prints it. */
  fingerprint: string;
}

export interface KeyDeployment {
  /** One line for `authorized_keys`, without options: `type base64 comment`. */
  publicKeyLine: string;
  /** True: the file is edited over SFTP. False: by commands of the remote shell. */
  sftp: boolean;
  /** The entry allows nothing but `borg serve` below this path, on request only to append. */
  restrict?: { path: string; appendOnly: boolean } | undefined;
}

/** Usage of one remote file system in bytes. `percentUsed` is what the host says. */
export interface RemoteStorageUsage {
  total: number;
  used: number;
  available: number;
  percentUsed: number;
}

export interface RemoteEntry {
  /** Bytes that are not UTF-8 stand as lone surrogates. */
  name: string;
  type: 'directory' | 'file' | 'symlink' | 'other';
  /** Of files; null for everything else. */
  size: number | null;
  /** Milliseconds since the epoch; null when the host does not tell. */
  modified: number | null;
  /** Permission bits (07777); null when the host does not tell. */
  mode: number | null;
}

export interface RemoteProcess {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Settles when the command ended and its output came whole. Rejects with RemoteHostError when the connection broke. */
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
 * A host reached over SSH. Every call opens one connection of its own, bounded in time (10 s to connect, 15 s of
 * silence), and rejects with RemoteHostError; `signal` ends it early. Paths are absolute; they and commands
 * reach the host as data, whatever they hold.
 */
export interface RemoteHost {
  /** Signs in. Success as soon as the host took the key or password, also where it then runs no command. */
  test(account: RemoteAccount, options?: RemoteOptions): Promise<SeenHostKey>;
  /** Adds the key to `~/.ssh/authorized_keys` unless it is there; what is there stays. May be called again. */
  deployKey(
    account: RemoteAccount,
    deployment: KeyDeployment,
    options?: RemoteOptions,
  ): Promise<SeenHostKey & { added: boolean }>;
  /** Takes back what `deployKey` added just now, with the same deployment. Does nothing when more was added since. */
  withdrawKey(account: RemoteAccount, deployment: KeyDeployment, options?: RemoteOptions): Promise<void>;
  /** Null when the host runs no such command or the path is missing. */
  storageUsage(
    account: RemoteAccount,
    path: string,
    options?: RemoteOptions,
  ): Promise<RemoteStorageUsage | null>;
  /** The entries of one directory, without `.` and `..`, in no order. Kind `missing` also when it is no directory. */
  list(account: RemoteAccount, path: string, options: RemoteFileOptions): Promise<RemoteEntry[]>;
  /**
   * Runs one program with its arguments, each quoted for a POSIX shell. Resolves when it started. `signal` ends the
   * connection and so the program. The caller reads stdout and stderr and ends stdin; `exit` alone tells whether the
   * output is whole, for a broken connection ends the streams too.
   */
  run(account: RemoteAccount, command: readonly string[], options?: RemoteOptions): Promise<RemoteProcess>;
}

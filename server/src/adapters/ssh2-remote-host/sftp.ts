import { isRemoteHostError, RemoteHostError } from '@holdfast/core/server';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { Connection } from './connection.js';
import { reason } from './failures.js';
import { mostEntries } from './limits.js';

/** SFTP status codes. */
const endOfFile = 1;
const noSuchFile = 2;
const permissionDenied = 3;

/** Promise wrappers for one SFTP session. Each call may reject with RemoteHostError. */
export type Sftp = ReturnType<typeof wrap>;

export async function openSftp({ client }: Connection, step: string): Promise<Sftp> {
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, session) => {
      if (error) reject(noSftp(step, error));
      else resolve(session);
    });
  });
  return wrap(sftp, step);
}

function noSftp(step: string, cause: Error & { level?: string }): RemoteHostError {
  const message =
    cause.level === 'sftp-protocol'
      ? `The shell of the host prints text into the SFTP stream (step: ${step}): remove it from the shell's startup files`
      : `The host does not offer SFTP for this account (step: ${step}; ${reason(cause)}). Enable it`;
  return new RemoteHostError('refused', `${message}, or set use_sftp_mode to false.`, { step, cause });
}

type Callback<T> = (error: Error | undefined | null, value: T) => void;
type Done = (error?: Error | null) => void;

function wrap(sftp: SFTPWrapper, step: string) {
  // Errors may also be emitted while no call is pending.
  sftp.on('error', () => undefined);
  const call = <T>(path: string, start: (done: Callback<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(failureOf(step, { path, error }));
      sftp.once('error', fail);
      start((error, value) => {
        sftp.off('error', fail);
        if (error) fail(error);
        else resolve(value);
      });
    });
  const act = (path: string, start: (done: Done) => void): Promise<void> =>
    call<void>(path, (done) => start((error) => done(error, undefined)));
  return {
    stat: (path: string) => orNull(call<Stats>(path, (done) => sftp.stat(path, done))),
    read: (path: string) => orNull(call<Buffer>(path, (done) => sftp.readFile(path, done))),
    makeDirectory: (path: string) => act(path, (done) => sftp.mkdir(path, { mode: 0o700 }, done)),
    removeDirectory: (path: string) => act(path, (done) => sftp.rmdir(path, done)),
    remove: (path: string) => act(path, (done) => sftp.unlink(path, done)),
    chmod: (path: string, mode: number) => act(path, (done) => sftp.chmod(path, mode, done)),
    truncate: (path: string, size: number) => act(path, (done) => sftp.setstat(path, { size }, done)),
    append: async (path: string, { data, at }: { data: Buffer; at: number }) => {
      const handle = await call<Buffer>(path, (done) => sftp.open(path, 'a', 0o600, done));
      try {
        await act(path, (done) => sftp.write(handle, data, 0, data.length, at, done));
      } finally {
        await act(path, (done) => sftp.close(handle, done));
      }
    },
    list: (path: string) =>
      readAll({
        open: () => call<Buffer>(path, (done) => sftp.opendir(path, done)),
        next: (handle) => call<FileEntryWithStats[]>(path, (done) => sftp.readdir(handle, done)),
        close: (handle) => act(path, (done) => sftp.close(handle, done)),
      }),
    /** False if the host does not report it. */
    isDiskFull: (path: string) =>
      call<{ f_bavail: number }>(path, (done) => sftp.ext_openssh_statvfs(path, done)).then(
        ({ f_bavail }) => Number(f_bavail) === 0,
        () => false,
      ),
  };
}

const orNull = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (isRemoteHostError(error, 'missing')) return null;
    throw error;
  });

interface Reading {
  open(): Promise<Buffer>;
  next(handle: Buffer): Promise<FileEntryWithStats[]>;
  close(handle: Buffer): Promise<void>;
}

async function readAll({ open, next, close }: Reading): Promise<FileEntryWithStats[]> {
  const entries: FileEntryWithStats[] = [];
  const handle = await open();
  try {
    for (;;) {
      const batch = await next(handle).catch((error: RemoteHostError) => {
        if ((error.cause as { code?: number }).code === endOfFile) return null;
        throw error;
      });
      if (batch === null) return entries;
      entries.push(...batch);
      if (entries.length > mostEntries) throw tooManyEntries();
    }
  } finally {
    await close(handle);
  }
}

export const tooManyEntries = () =>
  new RemoteHostError('failed', `The folder has more than ${mostEntries} entries. Choose a subfolder.`, {
    step: 'list the folder',
  });

function failureOf(step: string, { path, error }: { path: string; error: Error & { code?: unknown } }) {
  const options = { step, cause: error };
  switch (error.code) {
    case noSuchFile:
      return new RemoteHostError('missing', `There is no ${path} on the host.`, options);
    case permissionDenied:
      return new RemoteHostError(
        'permission',
        `The account is not allowed to use ${path} on the host (step: ${step}).`,
        options,
      );
    default:
      return new RemoteHostError('failed', `The host could not ${step}: ${path}: ${reason(error)}.`, options);
  }
}

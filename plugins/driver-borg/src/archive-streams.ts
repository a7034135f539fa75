import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type {
  ArchiveStream,
  CreateArchiveInput,
  DirectStream,
  OperationOptions,
  ToolProcess,
} from '@holdfast/plugin-api/driver';
import type { Command } from './command.js';
import type { BorgContext } from './context.js';
import { drained } from './feed.js';
import { holdInput } from './hold-input.js';

const run = promisify(execFile);
const lookEveryMs = 20;
const mostNames = 64 * 1024 * 1024;

type Sources = Pick<CreateArchiveInput, 'sources' | 'customFlags'> & Pick<Command, 'view'>;

export type StreamParts = Required<Pick<Command, 'flags' | 'args'>> & Pick<Command, 'folder'>;

/**
 * Runs a command of the tool that reads each stream from a named pipe, below its working folder. A stream that fails
 * ends the tool before it sees the end of the pipe: half a stream never becomes an archive.
 */
export async function withStreams<T>(
  context: BorgContext,
  { streams = [], ...input }: Pick<CreateArchiveInput, 'streams'> & Sources,
  {
    options,
    work,
  }: { options: OperationOptions; work(parts: StreamParts, options: OperationOptions): Promise<T> },
): Promise<T> {
  if (streams.length === 0) return work({ flags: [], args: [] }, options);
  const special = await specialFiles(input);
  if (special.length > 0)
    options.onLog?.({
      level: 'info',
      text: `Devices and named pipes are left out beside dumps: ${special.slice(0, 5).join(', ')}${special.length > 5 ? ` and ${special.length - 5} more` : ''}`,
    });
  const folder = join(context.dataFolder, '.streams', randomUUID());
  const failed = new AbortController();
  const over = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  try {
    const isDirect = await makePipes(folder, streams);
    const held: (() => void)[] = [];
    const until = AbortSignal.any([signal, over.signal]);
    let tool = 0;
    const onProcess = (process: ToolProcess) => {
      tool = process.pid;
      return options.onProcess?.(process);
    };
    const hold = (writer: Socket) => {
      const release = holdInput(tool, writer);
      held.push(release, () => writer.destroy());
      return release;
    };
    const feeding = feed(streams, { folder, isDirect, hold, signal: until }).catch((error: unknown) => {
      if (!until.aborted) failed.abort(error);
    });
    const flags = [
      '--read-special',
      ...[...new Set(streams.map(({ path }) => path.split('/')[0]))].map((top) => `--pattern=+pp:${top}`),
      ...special.map((path) => `--exclude=pf:${path}`),
    ];
    const parts = { flags, args: streams.map(({ path }) => path), folder };
    try {
      return await work(parts, { ...options, signal, onProcess });
    } catch (error) {
      throw failed.signal.aborted ? failed.signal.reason : error;
    } finally {
      over.abort();
      for (const release of held) release();
      await feeding;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns whether `directTo` works for them. */
async function makePipes(folder: string, streams: readonly ArchiveStream[]): Promise<boolean> {
  const paths = streams.map(({ path }) => join(folder, path));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const path of paths) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await run('mkfifo', ['-m', '600', '--', ...paths]);
  return paths.slice(0, 1).every(notesWrites);
}

/** Sets a time long before now. Returns it as the file system keeps it. */
function setOldTime(path: string): number {
  const { mtimeMs } = statSync(path);
  utimesSync(path, mtimeMs / 1000 - 1, mtimeMs / 1000 - 1);
  return statSync(path).mtimeMs;
}

/** Whether the time of a pipe changes with each write to it. On network drives it does not. */
function notesWrites(path: string): boolean {
  const before = setOldTime(path);
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    writeSync(both, 'x');
    readSync(both, Buffer.alloc(1));
  } finally {
    closeSync(both);
  }
  return statSync(path).mtimeMs !== before;
}

/** Call it while the tool reads: opening waits for a reader. The program that writes must not share our descriptor. */
function directTo(path: string): DirectStream & { close(): void } {
  const before = setOldTime(path);
  const to = openSync(path, constants.O_WRONLY);
  return {
    to,
    lastByte() {
      const { mtimeMs } = statSync(path);
      return mtimeMs === before ? null : mtimeMs;
    },
    isRead() {
      try {
        closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
        return true;
      } catch {
        return false;
      }
    },
    close: () => closeSync(to),
  };
}

/** The tool would wait for whatever they bring, and read devices as a whole. */
async function specialFiles({ sources, customFlags, view = [] }: Sources): Promise<string[]> {
  if (sources.length === 0) return [];
  const xdev = customFlags.some((flag) => flag === '--one-file-system' || flag === '-x') ? ['-xdev'] : [];
  const kinds = ['p', 'b', 'c'].flatMap((kind, at) => [...(at ? ['-o'] : []), '-xtype', kind]);
  // Folders that can't be read, or that vanish, make it fail although all others were looked at.
  const [program = '', ...words] = [...view, 'find', ...sources, ...xdev, '(', ...kinds, ')', '-print0'];
  const { stdout } = await run(program, words, {
    maxBuffer: mostNames,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  return stdout.split('\0').filter((path) => path !== '');
}

interface Feeding {
  folder: string;
  isDirect: boolean;
  /** Keeps a writer open, even if this process dies, until the returned function is called or the tool is gone. */
  hold(writer: Socket): () => void;
  signal: AbortSignal;
}

/** In the order in which the tool opens them. */
async function feed(
  streams: readonly ArchiveStream[],
  { folder, isDirect, hold, signal }: Feeding,
): Promise<void> {
  for (const { path, open } of streams) {
    const fd = await openForReader(join(folder, path), signal);
    const writer = new Socket({ fd, readable: false, writable: true });
    writer.on('error', () => {});
    const release = hold(writer);
    const direct = isDirect ? directTo(join(folder, path)) : undefined;
    try {
      for await (const piece of await open(signal, direct)) {
        if (writer.destroyed) return;
        if (!writer.write(piece)) await drained(writer);
      }
    } finally {
      direct?.close();
    }
    await new Promise<void>((resolve) => writer.end(resolve));
    release();
  }
}

/** Waits for the reader without blocking: opening a pipe that nobody reads fails then. */
async function openForReader(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      await pause(lookEveryMs, undefined, { signal });
    }
  }
}

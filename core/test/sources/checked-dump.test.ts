import { PassThrough, Readable } from 'node:stream';
import type { DirectStream } from '@holdfast/plugin-api/driver';
import type { Dump, Output } from '@holdfast/plugin-api/source';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkedDump } from '../../src/backup/sources/checked-dump.js';
import { isAppError } from '../../src/foundation/kernel/index.js';

const endMark = '-- Dump completed';
const stalledSeconds = 30;

interface Given {
  pieces?: readonly string[];
  code?: number | null;
  mark?: string;
}

/** The code of the refusal; null when there is none. */
const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: unknown) => (isAppError(error) ? error.reason.code : error),
  );

const dumpOf = (open: Dump['open'], mark?: string): Dump => ({
  name: 'shop',
  open,
  ...(mark !== undefined && { endMark: mark }),
});

/** What the archive would get. */
async function read(
  dump: Dump,
  signal = new AbortController().signal,
  direct?: DirectStream,
): Promise<string> {
  const pieces: Buffer[] = [];
  const checked = checkedDump({ dump, label: 'shop', signal, stalledSeconds, direct });
  for await (const piece of checked) pieces.push(piece);
  return String(Buffer.concat(pieces));
}

const readGiven = ({ pieces = ['all of it'], code = 0, mark }: Given) =>
  read(
    dumpOf(
      async () => ({
        output: Readable.from(pieces.map((piece) => Buffer.from(piece))),
        code: Promise.resolve(code),
      }),
      mark,
    ),
  );

describe('a checked dump', () => {
  it.each<[string, Given]>([
    ['it has no end mark', {}],
    ['it ends with its end mark', { pieces: ['rows', `rows\n${endMark}\n\n`], mark: endMark }],
    ['its end mark is split', { pieces: ['x'.repeat(2_000), '-- Dump', ' comp', 'leted\n'], mark: endMark }],
    ['its last piece is short', { pieces: [`${endMark}\n`, '\n'], mark: endMark }],
    ['a warning follows its end mark', { pieces: [`${endMark}${'.'.repeat(495)}`], mark: endMark }],
  ])('passes all bytes when %s', async (_, given) => {
    expect(await readGiven(given)).toBe((given.pieces ?? ['all of it']).join(''));
  });

  it.each<[string, Given, string]>([
    ['its program fails', { code: 1 }, 'dump_failed'],
    ['its program fails after the end mark', { pieces: [endMark], code: 3, mark: endMark }, 'dump_failed'],
    ['a signal ends its program', { code: null }, 'dump_killed'],
    ['it is empty', { pieces: [] }, 'dump_empty'],
    ['it has empty pieces only', { pieces: ['', ''] }, 'dump_empty'],
    ['its end mark is missing', { pieces: ['rows'], mark: endMark }, 'dump_cut_off'],
    ['its end mark is cut', { pieces: ['rows', endMark.slice(0, -1)], mark: endMark }, 'dump_cut_off'],
    ['its end mark is too early', { pieces: [endMark, 'x'.repeat(600)], mark: endMark }, 'dump_cut_off'],
    [
      'its end mark is too early in one piece',
      { pieces: [`${endMark}${'x'.repeat(600)}`], mark: endMark },
      'dump_cut_off',
    ],
    [
      'its end mark is too early in pieces',
      { pieces: [endMark, ...Array.from({ length: 600 }, () => 'x')], mark: endMark },
      'dump_cut_off',
    ],
  ])('fails when %s', async (_, given, code) => {
    expect(await codeOf(readGiven(given))).toBe(code);
  });

  it('rejects when the connection breaks, and destroys the output', async () => {
    const output = new PassThrough();
    output.write('half');
    const reading = read(dumpOf(async () => ({ output, code: Promise.reject(new Error('lost')) })));
    output.end();
    await expect(reading).rejects.toThrow('lost');
    expect(output.destroyed).toBe(true);
  });

  it('ends its program when nobody reads it to the end', async () => {
    const output = Readable.from([Buffer.from('one'), Buffer.from('two')]);
    const dump = dumpOf(async () => ({ output, code: new Promise(() => {}) }));
    const { signal } = new AbortController();
    for await (const _ of checkedDump({ dump, label: 'shop', signal, stalledSeconds })) break;
    expect(output.destroyed).toBe(true);
  });
});

describe('a checked dump whose program writes itself', () => {
  const direct = (given: Partial<DirectStream>): DirectStream => ({
    to: 7,
    lastByte: () => 1,
    isRead: () => true,
    ...given,
  });
  const written = (given: Partial<DirectStream>, code: number | null = 0) => {
    const dump = dumpOf(async (_signal, to) => {
      expect(to).toBe(7);
      return { output: Readable.from([]), code: Promise.resolve(code) };
    });
    return codeOf(read(dump, undefined, direct(given)));
  };

  it.each<[string, Partial<DirectStream>, number | null, string | null]>([
    ['passes when it wrote something', {}, 0, null],
    ['fails when it wrote nothing', { lastByte: () => null }, 0, 'dump_empty'],
    ['fails when its program fails', {}, 1, 'dump_failed'],
    ['fails when its program is killed', {}, null, 'dump_killed'],
    ['passes when the tool ended first', { isRead: () => false }, null, null],
  ])('%s', async (_, given, code, expected) => {
    expect(await written(given, code)).toBe(expected);
  });

  it('fails when it writes nothing more for too long', async () => {
    vi.useFakeTimers();
    try {
      let last = 1;
      const open = (signal: AbortSignal) =>
        new Promise<Output>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      let code: unknown;
      const reading = codeOf(read(dumpOf(open), undefined, direct({ lastByte: () => last }))).then(
        (given) => {
          code = given;
        },
      );
      for (last = 2; last < 10; last += 1) await vi.advanceTimersByTimeAsync(stalledSeconds * 1_000);
      expect(code).toBeUndefined();
      await vi.advanceTimersByTimeAsync(2 * stalledSeconds * 1_000);
      await reading;
      expect([code, vi.getTimerCount()]).toEqual(['dump_stalled', 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a checked dump that waits', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A program that sends nothing until it is ended. */
  function hanging(): { output: PassThrough; open: Dump['open']; ended: () => boolean } {
    const output = new PassThrough();
    let ended = false;
    const open = async (signal: AbortSignal): Promise<Output> => {
      const code = new Promise<null>((resolve) => {
        signal.addEventListener('abort', () => {
          ended = true;
          output.end();
          resolve(null);
        });
      });
      return { output, code };
    };
    return { output, open, ended: () => ended };
  }

  it('fails when it sends nothing for too long', async () => {
    const { output, open, ended } = hanging();
    output.write('first');
    const reading = codeOf(read(dumpOf(open)));
    await vi.advanceTimersByTimeAsync((stalledSeconds - 1) * 1_000);
    output.write('second');
    await vi.advanceTimersByTimeAsync((stalledSeconds - 1) * 1_000);
    expect(ended()).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await reading).toBe('dump_stalled');
    expect([ended(), vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('fails when it does not start', async () => {
    const open = (signal: AbortSignal) =>
      new Promise<Output>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const reading = codeOf(read(dumpOf(open)));
    await vi.advanceTimersByTimeAsync(stalledSeconds * 1_000);
    expect(await reading).toBe('dump_stalled');
  });

  it('fails when its program does not end after its output', async () => {
    const open = async (signal: AbortSignal): Promise<Output> => ({
      output: Readable.from([Buffer.from('all')]),
      code: new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    });
    const reading = codeOf(read(dumpOf(open)));
    await vi.advanceTimersByTimeAsync(stalledSeconds * 1_000);
    expect(await reading).toBe('dump_stalled');
  });

  it('waits for a slow reader', async () => {
    const output = Readable.from([Buffer.from('one'), Buffer.from('two')]);
    const dump = dumpOf(async () => ({ output, code: Promise.resolve(0) }));
    const { signal } = new AbortController();
    const dumped = checkedDump({ dump, label: 'shop', signal, stalledSeconds });
    expect(String((await dumped.next()).value)).toBe('one');
    await vi.advanceTimersByTimeAsync(stalledSeconds * 10_000);
    expect(String((await dumped.next()).value)).toBe('two');
    expect((await dumped.next()).done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends its program when the job is cancelled', async () => {
    const { output, open, ended } = hanging();
    output.write('first');
    const stop = new AbortController();
    const reading = codeOf(read(dumpOf(open), stop.signal));
    await vi.advanceTimersByTimeAsync(1_000);
    stop.abort();
    expect(await reading).toBe('dump_killed');
    expect([ended(), vi.getTimerCount()]).toEqual([true, 0]);
  });
});

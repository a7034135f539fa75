import type { DirectStream } from '@holdfast/plugin-api/driver';
import type { Dump } from '@holdfast/plugin-api/source';
import { AppError, type Message, say } from '../../foundation/kernel/index.js';

const tailBytes = 512;

interface Checked {
  dump: Dump;
  /** For messages. */
  label: string;
  signal: AbortSignal;
  stalledSeconds: number;
  /** Where its program may write it. */
  direct?: DirectStream | undefined;
}

/** The bytes of a dump that `direct` did not get. Throws AppError at their end unless the dump is complete, so that half of one is never kept. */
export async function* checkedDump({
  dump,
  label,
  signal,
  stalledSeconds,
  direct,
}: Checked): AsyncGenerator<Buffer> {
  const stalled = new AbortController();
  const refuse = (message: Message) => new AppError('internal', message);
  const lastByte = () => direct?.lastByte() ?? null;
  let seen: number | null = null;
  const expire = () => {
    const last = lastByte();
    if (last !== seen) {
      seen = last;
      timer = setTimeout(expire, stalledSeconds * 1000);
      return;
    }
    stalled.abort(
      refuse(
        say`dump_stalled: The dump ${{ dump: label }} sent nothing for ${{ seconds: stalledSeconds }} s and was stopped: look for a locked table or a server that does not respond.`,
      ),
    );
  };
  let timer = setTimeout(expire, stalledSeconds * 1000);
  let size = 0;
  let tail: Buffer = Buffer.alloc(0);
  try {
    const { output, code } = await dump.open(AbortSignal.any([signal, stalled.signal]), direct?.to);
    code.catch(() => {});
    for await (const piece of output as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      size += piece.length;
      tail = piece.length >= tailBytes ? piece : Buffer.concat([tail, piece]).subarray(-tailBytes);
      yield piece;
      timer = setTimeout(expire, stalledSeconds * 1000);
    }
    const exit = await code;
    if (exit !== 0 && direct?.isRead() === false) return;
    if (exit !== 0)
      throw refuse(
        exit === null
          ? say`dump_killed: The program that makes the dump ${{ dump: label }} was ended before it was done.`
          : say`dump_failed: The dump ${{ dump: label }} failed with exit code ${{ exit_code: exit }}: see the log of the job.`,
      );
    if (size === 0 && lastByte() === null)
      throw refuse(say`dump_empty: The dump ${{ dump: label }} is empty.`);
    if (dump.endMark !== undefined && !tail.subarray(-tailBytes).toString('latin1').includes(dump.endMark))
      throw refuse(say`dump_cut_off: The dump ${{ dump: label }} ends early: its end mark is missing.`);
  } catch (error) {
    throw stalled.signal.aborted ? stalled.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

import type { Dump } from '@holdfast/plugin-api/source';
import { AppError, type Message, say } from '../../foundation/kernel/index.js';

const tailBytes = 512;

interface Checked {
  dump: Dump;
  /** For messages. */
  label: string;
  signal: AbortSignal;
  stalledSeconds: number;
}

/** The bytes of a dump. Throws AppError at their end unless the dump is complete, so that half of one is never kept. */
export async function* checkedDump({ dump, label, signal, stalledSeconds }: Checked): AsyncGenerator<Buffer> {
  const stalled = new AbortController();
  const refuse = (message: Message) => new AppError('internal', message);
  const expire = () =>
    stalled.abort(
      refuse(
        say`dump_stalled: The dump ${{ dump: label }} sent nothing for ${{ seconds: stalledSeconds }} s and was stopped: look for a locked table or a server that does not respond.`,
      ),
    );
  let timer = setTimeout(expire, stalledSeconds * 1000);
  let size = 0;
  let tail: Buffer = Buffer.alloc(0);
  try {
    const { output, code } = await dump.open(AbortSignal.any([signal, stalled.signal]));
    code.catch(() => {});
    for await (const piece of output as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      size += piece.length;
      tail = piece.length >= tailBytes ? piece : Buffer.concat([tail, piece]).subarray(-tailBytes);
      yield piece;
      timer = setTimeout(expire, stalledSeconds * 1000);
    }
    const exit = await code;
    if (exit !== 0)
      throw refuse(
        exit === null
          ? say`dump_killed: The program that makes the dump ${{ dump: label }} was ended before it was done.`
          : say`dump_failed: The dump ${{ dump: label }} failed with exit code ${{ exit_code: exit }}: see the log of the job.`,
      );
    if (size === 0) throw refuse(say`dump_empty: The dump ${{ dump: label }} is empty.`);
    if (dump.endMark !== undefined && !tail.subarray(-tailBytes).toString('latin1').includes(dump.endMark))
      throw refuse(say`dump_cut_off: The dump ${{ dump: label }} ends early: its end mark is missing.`);
  } catch (error) {
    throw stalled.signal.aborted ? stalled.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

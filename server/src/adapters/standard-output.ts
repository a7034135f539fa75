import { type DestinationStream, pino } from 'pino';

/** Buffered characters that trigger a write. Must be less than SonicBoom's maximum write size. */
const most = 8_192;
/**
 * Maximum bytes to buffer while nothing can be written, for example on a full disk. Later lines are dropped
 * and counted.
 */
const mostWaiting = 1_048_576;

let output: DestinationStream | undefined;

/**
 * Standard output with one write for all lines of an event loop turn, so that concurrent requests share a
 * write. If the process is killed, only the lines of that turn are lost. Write errors are ignored: backups
 * continue without a log.
 */
export function standardOutput(): DestinationStream {
  output ??= writingOnceATurn(process.stdout.fd);
  return output;
}

function writingOnceATurn(fd: number): DestinationStream {
  const file = pino.destination({ fd, sync: true, minLength: most, maxLength: mostWaiting });
  file.on('error', () => {});
  // flushSync() would wait for the disk, and forever if it is full.
  process.once('exit', () => file.flush());
  let dropped = 0;
  file.on('drop', () => {
    dropped += 1;
  });
  const writeDropNotice = () => {
    const lines = dropped;
    file.write(dropNotice(lines));
    // If the note itself was dropped too, keep counting.
    dropped = dropped === lines ? 0 : lines;
  };
  let due = false;
  const flush = () => {
    due = false;
    file.flush();
  };
  return {
    write(line) {
      if (dropped > 0) writeDropNotice();
      file.write(line);
      if (due) return;
      due = true;
      setImmediate(flush);
    },
  };
}

const dropNotice = (lines: number) => {
  const message = 'log lines were dropped because the output could not be written';
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, message })}\n`;
};

import { type DestinationStream, pino } from 'pino';

/** Characters that are written at once, whatever the turn; SonicBoom wants fewer than it writes in one piece. */
const most = 8_192;
/** Bytes that wait while nothing can be written, on a full disk for one; what comes then is left out, and counted. */
const mostWaiting = 1_048_576;

let output: DestinationStream | undefined;

/**
 * Standard output, written once for all lines of one turn of the event loop: answers to requests that came together
 * cost one write. What kills the process without a word takes the lines of that turn with it, and no others. An output
 * that can't be written ends nothing: backups go on without a log.
 */
export function standardOutput(): DestinationStream {
  output ??= writingOnceATurn(process.stdout.fd);
  return output;
}

function writingOnceATurn(fd: number): DestinationStream {
  const file = pino.destination({ fd, sync: true, minLength: most, maxLength: mostWaiting });
  file.on('error', () => {});
  // Its flushSync() would wait for the disk each time, and without end for one that is full.
  process.once('exit', () => file.flush());
  let leftOut = 0;
  file.on('drop', () => {
    leftOut += 1;
  });
  const tellLeftOut = () => {
    const lines = leftOut;
    file.write(noteOf(lines));
    // There was room for the note, or it was left out as well.
    leftOut = leftOut === lines ? 0 : lines;
  };
  let due = false;
  const flush = () => {
    due = false;
    file.flush();
  };
  return {
    write(line) {
      if (leftOut > 0) tellLeftOut();
      file.write(line);
      if (due) return;
      due = true;
      setImmediate(flush);
    },
  };
}

const noteOf = (lines: number) => {
  const message = 'lines of the log were left out: it could not be written';
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, message })}\n`;
};

import { type DestinationStream, pino } from 'pino';

/** Characters that are written at once, whatever the turn; SonicBoom wants fewer than it writes in one piece. */
const most = 8_192;

let output: DestinationStream | undefined;

/**
 * Standard output, written once for all lines of one turn of the event loop: answers to requests that came together
 * cost one write. What kills the process without a word takes the lines of that turn with it, and no others.
 */
export function standardOutput(): DestinationStream {
  output ??= writingOnceATurn(process.stdout.fd);
  return output;
}

function writingOnceATurn(fd: number): DestinationStream {
  const file = pino.destination({ fd, sync: true, minLength: most });
  process.once('exit', () => file.flushSync());
  let due = false;
  const flush = () => {
    due = false;
    file.flushSync();
  };
  return {
    write(line) {
      file.write(line);
      if (due) return;
      due = true;
      setImmediate(flush);
    },
  };
}

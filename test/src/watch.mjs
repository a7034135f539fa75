/**
 * Loaded into a service by `--import`. It reports on stderr each change that holds the database for more than two
 * seconds, ten with PostgreSQL, and notes in the file TURN_REPORT each turn of the event loop that computes for more than 50 ms. Others on this
 * machine change nothing: a turn counts by the time on a processor, and a change by the time in which the service ran.
 */
import { tracingChannel } from 'node:diagnostics_channel';
import { appendFileSync, openSync, readSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const { TURN_REPORT: report } = process.env;
const everyMs = report ? 10 : 50;
const longestTurnMs = 50;
/** PostgreSQL works in processes of its own, which others on the machine do slow down. */
const longestChangeMs = process.env.DATABASE_URL ? 10_000 : 2_000;
const text = Buffer.alloc(100);

/** Kept open: a test may leave the service no more files. */
const stat = threadId === 0 ? openSync(`/proc/self/task/${process.pid}/schedstat`) : 0;
const computed = () =>
  Number(text.toString('latin1', 0, readSync(stat, text, 0, text.length, 0)).split(' ')[0]) / 1e6;

if (threadId === 0) {
  let last = computed();
  let at = performance.now();
  let ran = 0;
  const look = () => {
    const turn = computed() - last;
    const now = performance.now();
    // Between two calls there may be a wait, but no other turn that is long.
    if (report && turn > longestTurnMs) appendFileSync(report, `${JSON.stringify({ ms: turn })}\n`);
    // A service that was stopped, or waited for a processor, comes back late.
    ran += Math.max(turn, Math.min(now - at, 2 * everyMs));
    at = now;
    last = computed();
  };
  setInterval(look, everyMs).unref();
  tracingChannel('holdfast:change').subscribe({
    start: (change) => {
      look();
      change.began = ran;
    },
    asyncStart: ({ began }) => {
      look();
      if (ran - began > longestChangeMs)
        console.error(`A change held the database for ${Math.round(ran - began)} ms.`);
    },
  });
}

/**
 * Loaded into a service by `--import`: notes each turn of its event loop that computes for more than 50 ms. It counts
 * the time on a processor, so that others on this machine change nothing.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const { TURN_REPORT: report } = process.env;
const everyMs = 10;
const longestMs = 50;
const stat = `/proc/self/task/${process.pid}/schedstat`;

const computed = () => Number(readFileSync(stat, 'utf8').split(' ')[0]) / 1e6;

if (threadId === 0 && report) {
  let last = computed();
  setInterval(() => {
    const now = computed();
    // Between two calls there may be a wait, but no other turn that is long.
    if (now - last > longestMs)
      appendFileSync(report, `${JSON.stringify({ at: Date.now(), ms: now - last })}\n`);
    last = computed();
  }, everyMs).unref();
}

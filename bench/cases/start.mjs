import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signIn, startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { mebibytes, median, ratio, seconds } from '../statistics.mjs';
import { idleMemory } from './memory.mjs';

const bare = fileURLToPath(new URL('../bare-start.mjs', import.meta.url));
const mostRatio = 1.6;
const mostIdle = 100 * 1024 * 1024;

/** From `node` to a healthy answer, alternating with a bare process; and the service's memory when idle. */
export async function start({ folder }) {
  const dataDirectory = join(folder, 'start');
  await (await startService(dataDirectory)).stop();
  const program = [bare, join(dataDirectory, 'holdfast.db')];
  const pairs = [];
  for (let n = 0; n < settings.starts; n++) {
    const itsOwn = await timeOf(startService(dataDirectory, { program }));
    const ours = await timeOf(startService(dataDirectory));
    pairs.push({ ours, ratio: ours / itsOwn });
  }
  const times = median(pairs.map(({ ours }) => ours));
  const value = median(pairs.map((pair) => pair.ratio));
  const idle = await idleBytes(dataDirectory);
  return [
    {
      what: `start to a healthy /health (${seconds(times)}) ÷ bare libraries, median of ${pairs.length} pairs`,
      measured: ratio(value),
      limit: ratio(mostRatio),
      passed: value <= mostRatio,
    },
    {
      what: 'resident memory, idle',
      measured: mebibytes(idle),
      limit: mebibytes(mostIdle),
      passed: idle <= mostIdle,
    },
  ];
}

async function timeOf(starting) {
  const { startedIn, stop } = await starting;
  await stop();
  return startedIn;
}

async function idleBytes(dataDirectory) {
  const service = await startService(dataDirectory);
  const bytes = await idleMemory({ service, api: await signIn(service.url) });
  await service.stop();
  return bytes;
}

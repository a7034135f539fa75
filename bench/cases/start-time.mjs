import { startService } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, seconds } from '../statistics.mjs';

/** From `node` to a healthy answer, with a database that is there. */
export async function startTime({ dataDirectory }) {
  const times = [];
  for (let n = 0; n < settings.starts; n++) {
    const service = await startService(dataDirectory);
    times.push(service.startedIn);
    await service.stop();
  }
  const value = median(times);
  return {
    what: `from node to a healthy /health, existing database, median of ${times.length}`,
    measured: seconds(value),
    limit: '1.00 s',
    kept: value <= 1000,
  };
}

import { alarmClockSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { dropDatabase, newDatabase, sharedServer, startClock } from './mongodb.js';

describe.skipIf(sharedServer === '')('jobs-mongodb keeps the promises of an alarm clock', () => {
  const open = async () => {
    const uri = newDatabase();
    const clock = await startClock(uri);
    const close = async () => {
      await clock.stop?.();
      await dropDatabase(uri);
    };
    return { clock, close };
  };
  for (const { name, run } of alarmClockSuite({ open, lateness: 3_000 })) it(name, run);
});

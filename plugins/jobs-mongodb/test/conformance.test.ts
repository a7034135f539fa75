import { timerServiceSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { dropDatabase, newDatabase, sharedServer, startClock } from './mongodb.js';

describe.skipIf(sharedServer === '')('jobs-mongodb passes the suite for timer services', () => {
  const open = async () => {
    const uri = newDatabase();
    const timers = await startClock(uri);
    const close = async () => {
      await timers.stop?.();
      await dropDatabase(uri);
    };
    return { timers, close };
  };
  for (const { name, run } of timerServiceSuite({ open, lateness: 3_000 })) it(name, run);
});

import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { TimerClock } from './timer-clock.js';

/** Alarms in the memory of the service: a first run needs no second server. */
export default definePlugin({
  kind: 'jobs',
  configuration: z.object({}),
  create: ({ clock, log }) => new TimerClock({ now: () => clock.now(), log }),
});

import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { ProcessTimers } from './process-timers.js';

/** Timers in the memory of the service: a first run needs no second server. */
export default definePlugin({
  kind: 'jobs',
  configuration: z.object({}),
  create: ({ clock, log }) => new ProcessTimers({ now: () => clock.now(), log }),
});

import { definePlugin } from '@holdfast/plugin-api';
import { z } from 'zod';
import { ProcessTimers } from './process-timers.js';

/** Timers in the service's memory, so that a first run needs no second server. */
export default definePlugin({
  kind: 'jobs',
  configuration: z.object({}),
  create: ({ clock, log }) => new ProcessTimers({ now: () => clock.now(), log }),
});

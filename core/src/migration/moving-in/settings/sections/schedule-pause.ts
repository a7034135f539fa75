import { pauseUntil } from '@holdfast/contracts';
import { z } from 'zod';
import { pauseOfAll, schedulesUseCases } from '../../../../backup/schedules/index.js';
import { isoTime } from '../../../../foundation/kernel/index.js';
import { section, type Writing } from '../section.js';

const shape = z.object({ pause_until: pauseUntil }).strict();
type Pause = z.infer<typeof shape>;

/** The pause of all schedules, if there was ever one. */
export const schedulePause = section<Pause>({
  name: 'schedule_pause',
  shape,
  key: () => 'pause',
  title: () => 'pause',
  secrets: [],
  fixed: [],
  read: async ({ storage }) => {
    const until = await pauseOfAll(storage);
    return until === null ? [] : [{ id: 1, value: { pause_until: isoTime(until || null) } }];
  },
  create: write,
  change: (at, _existing, value) => write(at, value),
});

/** One that has ended meanwhile is not written. */
async function write({ needs, caller }: Writing, { pause_until: until }: Pause): Promise<void> {
  if (until !== null && Date.parse(until) <= needs.clock.now()) return;
  await schedulesUseCases(needs).setPause(caller, until);
}

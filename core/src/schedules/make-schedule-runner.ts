import type { SlotRunner } from '../calendar/join-runners.js';
import { makeSlotEngine, type SlotTimings } from '../calendar/slot-engine.js';
import { schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { closeEndedSlots } from './close-ended-slots.js';
import { fireSchedule, fireSchedules } from './fire-schedule.js';
import { planAfterSetBack } from './plan-after-set-back.js';
import { alarmHorizon, isScheduleAlarm, ringSchedule } from './ring-schedule.js';

export type ScheduleRunner = SlotRunner;

type Needs = Pick<Dependencies, 'storage' | 'jobs' | 'events' | 'clock' | 'alarms' | 'log'>;

/** Runs what is due, beside any number of other instances on the same storage. */
export function makeScheduleRunner(needs: Needs, timings: Partial<SlotTimings> = {}): ScheduleRunner {
  const { storage, clock, log } = needs;
  const [closeEnded, planAnew] = [closeEndedSlots(needs), planAfterSetBack(needs)];
  const engine = makeSlotEngine({
    ...{ clock, log, timings },
    find: (query) => storage.find(schedules, query),
    fire: fireSchedule(needs),
    fireTogether: fireSchedules(needs),
    arm: (schedule) => ringSchedule(needs, schedule),
    horizon: alarmHorizon,
    async tend() {
      await closeEnded();
      await planAnew();
    },
  });
  return {
    ...engine,
    onAlarm(key) {
      if (isScheduleAlarm(key)) void engine.look();
    },
  };
}

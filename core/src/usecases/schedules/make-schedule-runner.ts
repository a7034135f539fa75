import { makeSlotEngine, type SlotEngine, type SlotEngineParts } from '../../runtime/slot-engine.js';
import type { Dependencies } from '../dependencies.js';
import { closeEndedSlots } from './close-ended-slots.js';
import { fireSchedule, fireSchedules } from './fire-schedule.js';
import { alarmHorizon, isScheduleAlarm, ringSchedule } from './ring-schedule.js';

export interface ScheduleRunner extends SlotEngine {
  /** Alarms that are of no schedule are passed over. */
  onAlarm(key: string): void;
}

type Needs = Pick<Dependencies, 'storage' | 'jobs' | 'events' | 'clock' | 'alarms' | 'log'>;

/** Runs what is due, beside any number of other instances on the same storage. */
export function makeScheduleRunner(needs: Needs, timings: SlotEngineParts['timings'] = {}): ScheduleRunner {
  const { storage, clock, log } = needs;
  const engine = makeSlotEngine({
    ...{ storage, clock, log, timings },
    fire: fireSchedule(needs),
    fireTogether: fireSchedules(needs),
    arm: (schedule) => ringSchedule(needs, schedule),
    horizon: alarmHorizon,
    tend: closeEndedSlots(needs),
  });
  return {
    ...engine,
    onAlarm(key) {
      if (isScheduleAlarm(key)) void engine.look();
    },
  };
}

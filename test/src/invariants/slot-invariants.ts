import type { Invariant } from './invariants.js';
import { endings, type SlotFact } from './world.js';

/** Not so: missed, skipped, refused or disabled. */
const wasRun = ({ outcome }: SlotFact) => outcome === 'running' || endings.includes(outcome);

const instant = (schedule: number, at: number) => `schedule ${schedule} at ${new Date(at).toISOString()}`;

export const slotInvariants: Invariant[] = [
  {
    name: 'every planned instant has a slot',
    broken: ({ slots, planned }) => {
      if (!planned) return null;
      return planned
        .filter(({ schedule, at }) => !slots.some((s) => s.schedule_id === schedule && s.planned_at === at))
        .map(({ schedule, at }) => `${instant(schedule, at)} has none`);
    },
  },
  {
    name: 'no instant has two slots',
    broken: ({ slots }) => {
      const instants = slots.map(({ schedule_id, planned_at }) => instant(schedule_id, planned_at));
      return instants.filter((each, n) => instants.indexOf(each) !== n).map((each) => `${each} has two`);
    },
  },
  {
    name: 'no slot still runs',
    broken: ({ slots }) =>
      slots
        .filter(({ outcome }) => outcome === 'running')
        .map(({ id, schedule_id }) => `slot ${id} of schedule ${schedule_id} never ended`),
  },
  {
    name: 'every slot was planned, and run',
    broken: ({ slots, planned }) => {
      if (!planned) return null;
      const isPlanned = ({ schedule_id, planned_at }: SlotFact) =>
        planned.some(({ schedule, at }) => schedule === schedule_id && at === planned_at);
      return [
        ...slots
          .filter((slot) => !wasRun(slot))
          .map(({ id, outcome, reason }) => `slot ${id} is ${outcome}: ${reason}`),
        ...slots
          .filter((slot) => !isPlanned(slot))
          .map(({ id, schedule_id }) => `slot ${id} of schedule ${schedule_id} was never planned`),
      ];
    },
  },
  {
    name: 'every slot that was run has one backup of each repository',
    broken: ({ slots, jobs }) =>
      slots.flatMap((slot) => {
        const made = jobs.filter((job) => job.slot_id === slot.id && job.kind === 'backup');
        const twice = made.length !== new Set(made.map((job) => job.repository_id)).size;
        const lacksAll = made.length === 0 && wasRun(slot);
        return twice || lacksAll ? [`slot ${slot.id} (${slot.outcome}) has ${made.length} backups`] : [];
      }),
  },
];

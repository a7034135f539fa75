import type { StorageSession } from '@holdfast/plugin-api';
import type { JobQueue } from '../../../engine/jobs/index.js';
import type { EventBus, EventRow } from '../../../foundation/events/index.js';
import type { Message } from '../../../foundation/kernel/index.js';
import type { SlotPlan } from './slot.rules.js';
import type { PlanTimers, TimingNeeds } from './slot-timers.js';
import type { PlanRow, PlanTable } from './tables.js';

export interface SlotNeeds extends TimingNeeds {
  jobs: JobQueue;
  events: EventBus;
}

/** What to wake and announce after the commit. */
export interface Fired {
  jobIds: number[];
  events: EventRow[];
}

/** What differs between kinds of plans. `Row`: that of the table. `session`: the transaction that claims the slot. */
export interface PlanKind<Row extends PlanRow = PlanRow> {
  table: PlanTable;
  timers: PlanTimers;
  /** Until when all plans of the kind are paused. */
  pausedUntil?(session: Pick<StorageSession, 'find'>): Promise<number | null>;
  /** Columns that change with the claim. */
  claimed?(planned: number, plan: SlotPlan | null): Partial<Row>;
  /** Columns that change when a plan of a clock that was ahead is made again. */
  again?: Partial<PlanRow>;
  /** Null: nothing was started or told. */
  run(needs: SlotNeeds, session: StorageSession, slot: { row: Row; plan: SlotPlan }): Promise<Fired | null>;
  /** Writes down that the plan can't run. Resolves to the events that tell it. */
  refuse(needs: SlotNeeds, session: StorageSession, refused: Refused<Row>): Promise<EventRow[]>;
  /** Makes what looks at runs that wait. */
  waiting?(needs: SlotNeeds, steady: number): () => Promise<void>;
  /** Other periodic work. */
  tend?(needs: SlotNeeds): Promise<void>;
}

export interface Refused<Row> {
  row: Row;
  plannedAt: number;
  problem: Message;
}

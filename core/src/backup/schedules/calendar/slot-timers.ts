import type { Clock, LedgerPlan, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import { LedgerFollower } from '../../../engine/jobs/index.js';
import type { PlanRow, PlanTable } from './tables.js';

/** Without a ledger, timers are set at most this far ahead, in milliseconds. The slot worker sets later ones in time. */
export const timerHorizon = 90_000;

export interface TimingNeeds {
  storage: StorageBackend;
  timers: TimerService;
  clock: Clock;
  log: Log;
}

type Timed = Pick<PlanRow, 'id' | 'enabled' | 'next_run'>;

export type PlanTimers = ReturnType<typeof slotTimers>;

interface Shown<Row> {
  kind: LedgerPlan['kind'];
  table: PlanTable;
  /** Names for people, by the id of the row. */
  namesOf(storage: StorageBackend, rows: readonly Row[]): Promise<ReadonlyMap<number, string>>;
}

/** The timers of one kind of plan, whose keys begin with `prefix`. */
export function slotTimers<Row extends PlanRow>(prefix: string, { kind, table, namesOf }: Shown<Row>) {
  const entriesOf = async (storage: StorageBackend, rows: readonly PlanRow[]): Promise<LedgerPlan[]> => {
    const names = await namesOf(storage, rows as readonly Row[]);
    return rows.flatMap(
      ({ id, enabled, next_run: at, last_run: lastRun, cron_expression, timezone: zone }) => {
        if (!enabled || at === null) return [];
        const [key, name, cron] = [prefix + id, names.get(id) ?? '', cron_expression ?? ''];
        return [{ kind, id, key, name, cron, zone, at, lastRun }];
      },
    );
  };
  const write = async ({ storage, timers: { ledger } }: TimingNeeds, ids: number[]) => {
    const entries = await entriesOf(storage, await storage.find(table, { where: { id: { in: ids } } }));
    const planned = new Set(entries.map(({ id }) => id));
    await ledger?.write(entries);
    await ledger?.remove(
      kind,
      ids.filter((id) => !planned.has(id)),
    );
  };
  const setSoon = ({ timers, clock }: TimingNeeds, plans: readonly Timed[]) => {
    const end = clock.now() + timerHorizon;
    // One timer per instant is enough: when it fires, everything due is run.
    const firstOf = new Map(plans.toReversed().map((plan) => [plan.next_run, plan]));
    return Promise.all(
      [...firstOf.values()].map(({ id, enabled, next_run: at }) =>
        enabled && at !== null && at <= end ? timers.set(prefix + id, at) : undefined,
      ),
    );
  };
  return {
    isOwn: (key: string): boolean => key.startsWith(prefix),
    /**
     * Sets the timers of plans that are due soon; in a ledger those of all, as their rows are now. Call it after the
     * commit. Never throws: a lost timer only delays the run by a few seconds.
     */
    set(needs: TimingNeeds, ...plans: readonly Timed[]): void {
      const ids = plans.map(({ id }) => id);
      const done: Promise<unknown> = needs.timers.ledger ? write(needs, ids) : setSoon(needs, plans);
      done.catch((error: unknown) => needs.log.debug('could not set timers', { kind, ids, error }));
    },
    /** What brings the ledger in step with the rows and never rejects; undefined without a ledger. */
    follower({ storage, timers: { ledger }, log }: TimingNeeds): (() => Promise<void>) | undefined {
      const wanted = async (below: number, limit: number) => {
        const id = Number.isFinite(below) ? { id: { lt: below } } : {};
        const where = { ...id, enabled: true, next_run: { gt: 0 } };
        return entriesOf(storage, await storage.find(table, { where, order: [['id', 'desc']], limit }));
      };
      const follower = ledger && new LedgerFollower(ledger, { series: kind, wanted });
      const onError = (error: unknown) =>
        log.debug('the plans in the store of timers could not be compared', { kind, error });
      return follower && (() => follower.follow().catch(onError));
    },
  };
}

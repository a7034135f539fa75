import type { Schemas } from '../../api/client.js';

export type Plan = Schemas['RestorePlanView'];

export type Existing = 'stop' | 'skip' | 'replace';

export interface Order {
  kind: 'folder' | 'host' | 'back';
  destination: string;
  connectionId: number | null;
  layout: 'whole_path' | 'selection';
  existing: Existing;
  owners: 'numbers' | 'names';
  acceptLowSpace: boolean;
}

export type Decision = Partial<Pick<Order, 'existing' | 'owners' | 'acceptLowSpace'>>;

/** target → planning → plan → (decide → planning → plan)* → starting; the run has its own address. */
export type State =
  | { step: 'target'; order: Order | null; error: unknown }
  | { step: 'planning'; order: Order; before: Plan | null }
  | { step: 'plan'; order: Order; plan: Plan; changes: Change[] | null; error: unknown }
  | { step: 'starting'; order: Order; plan: Plan };

export type Event =
  | { type: 'order'; order: Order }
  | { type: 'planned'; plan: Plan }
  | { type: 'failed'; error: unknown }
  | { type: 'decide'; decision: Decision }
  | { type: 'renew' }
  | { type: 'start' }
  | { type: 'back' };

export const begin: State = { step: 'target', order: null, error: null };

export function next(state: State, event: Event): State {
  switch (event.type) {
    case 'order':
      return { step: 'planning', order: event.order, before: null };
    case 'planned':
      if (state.step !== 'planning') return state;
      return {
        step: 'plan',
        order: state.order,
        plan: event.plan,
        changes: state.before && changesBetween(state.before, event.plan),
        error: null,
      };
    case 'decide':
      if (state.step !== 'plan') return state;
      return { step: 'planning', order: { ...state.order, ...event.decision }, before: null };
    case 'renew':
      if (state.step !== 'plan' && state.step !== 'starting') return state;
      return { step: 'planning', order: state.order, before: state.plan };
    case 'start':
      return state.step === 'plan' ? { ...state, step: 'starting' } : state;
    case 'failed':
      if (state.step === 'starting') return { ...state, step: 'plan', changes: null, error: event.error };
      return state.step === 'planning' ? { step: 'target', order: state.order, error: event.error } : state;
    case 'back':
      return state.step === 'plan' ? { step: 'target', order: state.order, error: null } : state;
  }
}

type Figure = 'files' | 'bytes' | 'collisions' | 'blocked' | 'damaged' | 'free';
export interface Change {
  figure: Figure;
  before: number;
  after: number;
}

/** The differences of a new plan. Free space counts only if it became too small or large enough. */
export function changesBetween(before: Plan, after: Plan): Change[] {
  const figures = (plan: Plan): Record<Figure, number> => ({
    files: plan.files,
    bytes: plan.bytes,
    collisions: plan.collisions.count,
    blocked: plan.blocked.count,
    damaged: plan.damaged_files,
    free: Number(fits(plan)),
  });
  const [old, now] = [figures(before), figures(after)];
  return (Object.keys(old) as Figure[])
    .filter((figure) => old[figure] !== now[figure])
    .map((figure) => ({ figure, before: old[figure], after: now[figure] }));
}

export const fits = ({ bytes, free_bytes }: Plan): boolean => free_bytes === null || bytes <= free_bytes;

/** Everything that was selected: files, links and special files. */
export const entriesOf = ({ files, links, others }: Plan): number => files + links + others;

/** What is written: without the files that stay. */
export const writtenOf = ({ existing }: Pick<Order, 'existing'>, plan: Plan): number =>
  entriesOf(plan) - (existing === 'skip' ? plan.collisions.count : 0);

/** Nothing but the decision about existing files is missing. */
export const isUndecided = ({ existing }: Order, { collisions, obstacles }: Plan): boolean =>
  existing === 'stop' && collisions.count > 0 && obstacles.length === 1;

/** The number of files that are replaced, to be typed before the start; null: none is, and one button is enough. */
export function numberToType(order: Order, plan: Plan): number | null {
  return order.existing === 'replace' && plan.collisions.count > 0 ? plan.collisions.count : null;
}

export const isExpired = ({ expires_at }: Plan, now: number): boolean => Date.parse(expires_at) <= now;

/** A start that was refused because the plan no longer holds: another one is made. */
export const isOutdated = (status: number, code: string | undefined): boolean =>
  status === 409 || (code?.startsWith('restore_plan_') ?? false);

/** An example of the destination of a path. `common`: the common folder of the selection. */
export function exampleOf(
  { destination, layout }: Pick<Order, 'destination' | 'layout'>,
  path: string,
  common: string,
): string {
  const rest = layout === 'selection' && common !== '' ? path.slice(common.length + 1) : path;
  return `${destination.replace(/\/+$/, '')}/${rest}`;
}

type Earlier = Pick<Schemas['RestoreJobView'], 'destination' | 'destination_connection_id'>;

/** Where the newest restore to a folder of this machine went: others say nothing about it. */
export function usualParent(newestFirst: readonly Earlier[]): string {
  const last = newestFirst.find(
    ({ destination, destination_connection_id: host }) => host === null && destination !== '/',
  )?.destination;
  return last?.slice(0, last.lastIndexOf('/')) || '/srv/restored';
}

/** A new folder, so that restored files do not mix with existing ones. */
export function newFolder(parent: string, repository: string, now: Date): string {
  const name = repository
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  const part = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), part(now.getMonth() + 1), part(now.getDate())].join('-');
  const time = `${part(now.getHours())}${part(now.getMinutes())}`;
  return `${parent.replace(/\/+$/, '')}/${name || 'restored'}-${day}-${time}`;
}

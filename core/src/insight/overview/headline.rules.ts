import { type Message, say } from '../../foundation/kernel/index.js';

/** Each repository is in one class: the worst that is known of it. */
const classes = ['damaged', 'unreachable', 'late', 'drill', 'unknown', 'protected'] as const;
export type Class = (typeof classes)[number];

export type HeadlineState = 'empty' | 'damaged' | 'late' | 'unknown' | 'protected';

/** The worst state of any repository, and how many are in which class. `someLate`: also of a worse class. */
export function headlineOf(
  found: readonly Class[],
  someLate: boolean,
): { state: HeadlineState; message: Message } {
  const total = found.length;
  const [damaged, unreachable, late, drill, unknown, count] = classes.map(
    (each) => found.filter((one) => one === each).length,
  ) as [number, number, number, number, number, number];
  const troubled = classes.filter((each) => each !== 'protected' && found.includes(each));
  const state = total === 0 ? 'empty' : damaged ? 'damaged' : someLate ? 'late' : 'unknown';
  if (troubled.length > 1) {
    const message = say`overview_states: Of ${{ total }} repositories: damaged ${{ damaged }}, cannot be opened ${{ unreachable }}, late ${{ late }}, restore drill failed ${{ drill }}, unknown ${{ unknown }}, protected ${{ protected: count }}.`;
    return { state, message };
  }
  if (total > 0 && troubled.length === 0)
    return { state: 'protected', message: alone.protected({ count, total }) };
  return { state, message: alone[troubled[0] ?? 'empty']({ count: total - count, total }) };
}

/** Used if this is the only problem. */
const alone: Record<Class | 'empty', (of: { count: number; total: number }) => Message> = {
  empty: () => say`overview_empty: Nothing is protected yet: there are no repositories.`,
  damaged: ({ count, total }) => say`overview_damaged: Damaged: ${{ count }} of ${{ total }} repositories.`,
  unreachable: ({ count, total }) =>
    say`overview_unreachable: Cannot be opened: ${{ count }} of ${{ total }} repositories.`,
  late: ({ count, total }) => say`overview_late: Late: ${{ count }} of ${{ total }} repositories.`,
  drill: ({ count, total }) =>
    say`overview_drill_failed: The last restore drill failed: ${{ count }} of ${{ total }} repositories.`,
  unknown: ({ count, total }) =>
    say`overview_unknown: It is unknown whether ${{ count }} of ${{ total }} repositories are protected.`,
  protected: ({ count, total }) =>
    say`overview_protected: Protected: ${{ count }} of ${{ total }} repositories.`,
};

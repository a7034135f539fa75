import { type Message, say } from '../kernel/index.js';

export interface Counts {
  total: number;
  protected: number;
  late: number;
  unknown: number;
  damaged: number;
  /** Repositories whose last drill failed. */
  drillsFailed?: number;
}

export type HeadlineState = 'empty' | 'damaged' | 'late' | 'unknown' | 'protected';

/** The worst state of any repository. */
export function headlineOf({ total, ...counts }: Counts): { state: HeadlineState; message: Message } {
  if (total === 0) {
    const message = say('overview_empty')`Nothing is protected yet: there is no repository.`;
    return { state: 'empty', message };
  }
  if (counts.damaged > 0) {
    const count = counts.damaged;
    return {
      state: 'damaged',
      message: say('overview_damaged')`Damaged: ${{ count }} of ${{ total }} repositories.`,
    };
  }
  if (counts.late > 0) {
    const count = counts.late;
    return { state: 'late', message: say('overview_late')`Late: ${{ count }} of ${{ total }} repositories.` };
  }
  if (counts.drillsFailed) {
    const count = counts.drillsFailed;
    const message = say(
      'overview_drill_failed',
    )`The last restore drill failed: ${{ count }} of ${{ total }} repositories.`;
    return { state: 'unknown', message };
  }
  if (counts.unknown > 0) {
    const count = counts.unknown;
    const message = say(
      'overview_unknown',
    )`It is unknown whether ${{ count }} of ${{ total }} repositories are protected.`;
    return { state: 'unknown', message };
  }
  return {
    state: 'protected',
    message: say('overview_protected')`Protected: ${{ count: total }} of ${{ total }} repositories.`,
  };
}

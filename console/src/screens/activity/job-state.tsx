import type { Schemas } from '../../api/client.js';
import { t } from '../../i18n/messages.js';
import { State, type StateName } from '../../ui/state.js';

type Status = Schemas['JobStatus'];

const marks: Record<Status, StateName> = {
  pending: 'off',
  running: 'running',
  completed: 'protected',
  completed_with_warnings: 'late',
  // A failed run is not an alarm within the age limit: red is for damage.
  failed: 'late',
  cancelled: 'off',
};

/** Of the notice about an ended job. */
export const looks = {
  completed: 'good',
  completed_with_warnings: 'warning',
  failed: 'error',
  cancelled: 'info',
} as const;

export const stateOf = ({ status }: { status: Status }) => ({
  state: marks[status],
  word: t.common.jobStates[status],
});

export const JobState = ({ status }: { status: Status }) => <State {...stateOf({ status })} />;

/** A repair is stored as a check but shown separately. */
export const kindOf = ({ kind, about }: Pick<Schemas['JobView'], 'kind' | 'about'>): string =>
  about.check_type === 'repair' ? t.common.repair : t.common.jobKinds[kind];

import { t } from '../i18n/messages.js';
import styles from './state.module.css';

/** The four states of a repository, and two for other objects: `running` and `off`. */
export type StateName = 'protected' | 'late' | 'unknown' | 'damaged' | 'running' | 'off';

const shapes: Record<StateName, preact.JSX.Element> = {
  protected: <circle cx="8" cy="8" r="6" fill="currentColor" />,
  late: (
    <>
      <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path d="M8 2.75a5.25 5.25 0 0 0 0 10.5z" fill="currentColor" />
    </>
  ),
  unknown: (
    <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3 2.2" />
  ),
  damaged: <path d="M8 1.5 15 14H1z" fill="currentColor" />,
  running: <path d="M4 2.5 13 8l-9 5.5z" fill="currentColor" />,
  off: <path d="M3 8h10" stroke="currentColor" stroke-width="2" stroke-linecap="round" />,
};

/** The worst first. */
export const states: readonly StateName[] = ['damaged', 'late', 'unknown', 'running', 'off', 'protected'];

/** The mark alone, where the word is already next to it. */
export function StateMark({ state, large = false }: { state: StateName; large?: boolean }) {
  return (
    <svg
      class={`${styles.mark} ${styles[state]} ${large ? styles.large : ''}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {shapes[state]}
    </svg>
  );
}

/** Shape, word and colour. */
export function State({ state, word }: { state: StateName; word?: string }) {
  return (
    <span class={`${styles.state} ${styles[state]}`} data-state={state}>
      <StateMark state={state} />
      {word ?? t.common.states[state]}
    </span>
  );
}

/** The state of a repository: damage has priority. */
export const stateOf = ({ status, damaged }: { status: string; damaged?: boolean }): StateName =>
  damaged ? 'damaged' : status === 'protected' || status === 'late' ? status : 'unknown';

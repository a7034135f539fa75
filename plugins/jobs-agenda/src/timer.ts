/** The Agenda job name of all timers. It is stored, so it must not change. */
export const timerName = 'alarm';

/** The data of a timer's row, beside Agenda's own fields. */
export interface Timer {
  key: string;
  /** New with each `set` of the key: shows whether the row still is what an instance took. */
  arming: string;
}

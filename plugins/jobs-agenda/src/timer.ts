/** The Agenda job name of timers that only wake. It is stored, so it must not change. */
export const timerName = 'wake-up';

/** The data of a timer's row, beside Agenda's own fields. */
export interface Timer {
  key: string;
  /** New with each `set` of the key: shows whether the row still is what an instance took. Lasting timers have none. */
  arming?: string;
}

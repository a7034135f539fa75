/** The one name under which all timers are jobs of Agenda. Stored: it stays what it was. */
export const timerName = 'alarm';

/** What the row of a timer carries beside Agenda's own fields. */
export interface Timer {
  key: string;
  /** New with each `set` of the key: says whether the row is still the arming that an instance took. */
  arming: string;
}

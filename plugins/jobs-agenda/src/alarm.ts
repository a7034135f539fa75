/** The one name under which all alarms are jobs of Agenda. */
export const alarmName = 'alarm';

/** What the row of an alarm carries beside Agenda's own fields. */
export interface Alarm {
  key: string;
  /** New with each `ring` of the key: says whether the row is still the arming that an instance took. */
  arming: string;
}

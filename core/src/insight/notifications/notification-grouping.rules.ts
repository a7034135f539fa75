import type { EventText } from './notification-text.rules.js';
import { utc } from './notification-text.rules.js';

/** How many failures a message covers, and since when. */
export interface Group {
  count: number;
  firstAt: number;
}

/** Adds the count when there were several failures. */
export function withCount(text: EventText, { count, firstAt }: Group): EventText {
  if (count === 1) return text;
  const rows: EventText['rows'] = [...text.rows, ['Occurrences', `${count} since ${utc(firstAt)}`]];
  return { ...text, title: `${text.title} (${count} times)`, rows };
}

const works = {
  backup: ['✅ Backup works again', 'Backups of this repository succeed again.'],
  restore: ['✅ Restore works again', 'Restores from this repository succeed again.'],
  check: ['✅ Repository check works again', 'Checks of this repository succeed again.'],
  schedule: ['✅ Scheduled backup works again', 'The schedule runs again.'],
} as const;
type Work = keyof typeof works;

/** The work of a topic such as `backup:12`. */
export const workOf = (topic: string | null): Work => {
  const work = topic?.split(':')[0] ?? '';
  return Object.hasOwn(works, work) ? (work as Work) : 'backup';
};

/** The text for an event that ended a series of failures: where and when, but not what it did. */
export function recoveryText(text: EventText, topic: string | null): EventText {
  const [title, advice] = works[workOf(topic)];
  const named = new Set(['Repository', 'Location', 'Path', 'Schedule']);
  const rows = text.rows.filter(([label]) => named.has(label));
  return { ...text, title, type: 'success', rows, problem: null, advice };
}

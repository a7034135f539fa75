import type { NotificationMessage } from '@holdfast/plugin-api';
import { dataOf, eventName, htmlBody, plainBody } from './notification-body.rules.js';
import { factsIn } from './notification-facts.rules.js';
import { recoveryText, withCount } from './notification-grouping.rules.js';
import { type EventText, type Notified, textOf } from './notification-text.rules.js';

export interface Addressing {
  /** Of the service URL. */
  scheme: string;
  title_prefix: string | null;
  include_job_name_in_title: boolean;
}

export interface Outgoing {
  messageId: string;
  event: Notified;
  count: number;
  firstAt: number;
  /** The topic whose recovery the message reports, or null. */
  recovered: string | null;
}

const mailSchemes = new Set(['mailto', 'mailtos', 'smtp', 'smtps']);

/** The message for one setting. The same for each attempt. */
export function messageFor(outgoing: Outgoing, to: Addressing): NotificationMessage {
  const { messageId, event, recovered, count, firstAt } = outgoing;
  const plain = textOf(event);
  const text = recovered === null ? withCount(plain, { count, firstAt }) : recoveryText(plain, recovered);
  return {
    id: messageId,
    title: titleOf(text.title, { jobName: factsIn(event.data).jobName, to }),
    ...bodyOf(text, to.scheme),
    type: text.type,
    event: eventName(event.kind, recovered),
    timestamp: new Date(event.at).toISOString(),
    data: dataOf(event, { count, firstAt, topic: recovered }),
  };
}

/** `[prefix ][<job name>: ]<event title>` on one line. */
function titleOf(
  title: string,
  { jobName, to }: { jobName: string | null; to: Omit<Addressing, 'scheme'> },
): string {
  const prefix = to.title_prefix ? `${to.title_prefix} ` : '';
  const job = to.include_job_name_in_title && jobName ? `${jobName}: ` : '';
  return `${prefix}${job}${title}`.replace(/\p{Cc}+/gu, ' ');
}

function bodyOf(text: EventText, scheme: string): Pick<NotificationMessage, 'body' | 'format'> {
  if (mailSchemes.has(scheme)) return { body: htmlBody(text), format: 'html' };
  return { body: plainBody(text), format: 'text' };
}

/** A message to test a service URL. */
export function testMessage(id: string, at: number): NotificationMessage {
  const timestamp = new Date(at).toISOString();
  return {
    id,
    title: '🔔 Holdfast test notification',
    type: 'info',
    event: 'test',
    timestamp,
    format: 'text',
    body: 'This is a test. The service URL works: Holdfast can send notifications to it.',
    data: { event_type: 'test', timestamp },
  };
}

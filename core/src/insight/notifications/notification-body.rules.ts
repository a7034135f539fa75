import { escapeHtml } from '../../foundation/kernel/index.js';
import { type Group, workOf } from './notification-grouping.rules.js';
import type { EventText, MessageType, Notified } from './notification-text.rules.js';

/** A body for services that show plain text. */
export function plainBody({ rows, problem, advice, footer }: EventText): string {
  const paragraphs = [
    rows.map(([label, value]) => `${label}:${value.startsWith('\n') ? '' : ' '}${value}`).join('\n'),
    problem && `${problem.label}: ${problem.text}`,
    advice && `${problem ? 'What to do next: ' : ''}${advice}`,
    footer,
  ];
  return paragraphs.filter((paragraph) => paragraph).join('\n\n');
}

const colours: Record<MessageType, string> = {
  info: '#1565c0',
  success: '#2e7d32',
  warning: '#b26a00',
  failure: '#b71c1c',
};

/** An HTML body for mail. All text in it is escaped. */
export function htmlBody({ title, type, rows, problem, advice, footer }: EventText): string {
  const colour = colours[type];
  const parts = [
    `<h2 style="background:${colour};color:#fff;margin:0;padding:12px 16px">${escapeHtml(title)}</h2>`,
    `<table style="border-collapse:collapse;margin:12px 16px">${rows.map(tableRow).join('')}</table>`,
    problem &&
      `<div style="border-left:4px solid ${colour};margin:12px 16px;padding:8px 12px">` +
        `<b>${problem.label}</b><br>${lines(problem.text)}</div>`,
    advice && `<p style="margin:12px 16px">${lines(advice)}</p>`,
    `<p style="color:#666;margin:12px 16px"><i>${escapeHtml(footer)}</i></p>`,
  ];
  const body = parts.filter((part) => part).join('\n');
  return (
    '<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head>' +
    `<body style="font-family:sans-serif;color:#222">\n${body}\n</body></html>`
  );
}

const tableRow = ([label, value]: [string, string]) =>
  `<tr><td style="padding:2px 12px 2px 0"><b>${escapeHtml(label)}</b></td><td>${lines(value.trim())}</td></tr>`;

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

/** The field for the time of the event, by kind; others have only `timestamp`. */
const timeField: Partial<Record<Notified['kind'], string>> = {
  backup_start: 'started_at',
  backup_success: 'completed_at',
  backup_warning: 'completed_at',
  backup_failure: 'failed_at',
  restore_success: 'completed_at',
  restore_failure: 'failed_at',
  check_success: 'completed_at',
  check_failure: 'completed_at',
  schedule_failure: 'failed_at',
};

/** Event data for programs. `topic` is set when the message reports a recovery. */
export function dataOf(
  { kind, at, data }: Notified,
  { count, firstAt, topic }: Group & { topic: string | null },
): Record<string, unknown> {
  const time = new Date(at).toISOString();
  const field = timeField[kind];
  return {
    event_type: eventName(kind, topic),
    timestamp: time,
    ...data,
    ...(field ? { [field]: time } : {}),
    ...(count > 1 ? { count, first_at: new Date(firstAt).toISOString() } : {}),
  };
}

/** The kind of the event, or for example `backup_recovered`. */
export const eventName = (kind: Notified['kind'], topic: string | null): string =>
  topic === null ? kind : `${workOf(topic)}_recovered`;

import type { NotificationMessage } from '@holdfast/plugin-api';

/** The JSON body of a message. `fields` rename its own fields, remove them (empty value) or add others. */
export function payloadOf(message: NotificationMessage, fields: Record<string, string>): string {
  const { title, body, type, event, id, timestamp, data } = message;
  const payload: Record<string, unknown> = { title, body, type, event, id, timestamp, data };
  const own = { ...payload };
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(own, name)) {
      payload[name] = value;
      continue;
    }
    delete payload[name];
    if (value !== '') payload[value] = own[name];
  }
  return JSON.stringify(payload);
}

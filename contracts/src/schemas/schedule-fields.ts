import { z } from 'zod';

export const cron = z.string().max(200, 'must have at most 200 characters').openapi({
  description:
    'Five fields: minute, hour, day of month, month, day of week. Empty or null: runs only manually.',
  example: '0 2 * * *',
});

export const timezone = z.string().max(100, 'must have at most 100 characters').openapi({
  description: 'IANA name of the time zone of the cron expression.',
  example: 'Europe/Berlin',
});

/** The zone of the machine that the service runs on. */
export const serviceZone = (): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || /^Etc\//.test(timeZone) ? 'UTC' : timeZone;
};

/** Of a new plan. */
export const newTimezone = timezone.default(serviceZone).openapi({
  default: undefined,
  description:
    'IANA name of the time zone of the cron expression. Default: the time zone of Holdfast (`TZ`); ' +
    'responses include it.',
  example: 'Europe/Berlin',
});

/** Of a day, in the time zone of its object. */
export const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00')
  .openapi({ example: '08:00' });

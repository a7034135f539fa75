import type { Section } from './section.js';
import { attachments } from './sections/attachments.js';
import { cacheSettings } from './sections/cache-settings.js';
import { connections } from './sections/connections.js';
import { notifications } from './sections/notifications.js';
import { pins } from './sections/pins.js';
import { repositories } from './sections/repositories.js';
import { checkSchedules, drillSchedules } from './sections/repository-plans.js';
import { schedulePause } from './sections/schedule-pause.js';
import { schedules } from './sections/schedules.js';
import { scripts } from './sections/scripts.js';
import { sourceSets } from './sections/source-sets.js';
import { systemKey } from './sections/system-key.js';

/** All settings, in the order in which they are written: each after those that it refers to. */
export const sections: readonly Section[] = [
  ...[systemKey, connections, sourceSets, repositories, scripts, attachments],
  ...[schedules, schedulePause, checkSchedules, drillSchedules, pins, notifications, cacheSettings],
];

/** The problem with an object of a settings document, or null. For the conformance suite of importers. */
export function settingsProblem(name: string, value: unknown): string | null {
  const parsed = sections.find((section) => section.name === name)?.shape.safeParse(value);
  if (parsed?.success) return null;
  const [issue] = parsed?.error.issues ?? [];
  return issue ? `${issue.path.join('.')} ${issue.message}` : `there is no section ${name}`;
}

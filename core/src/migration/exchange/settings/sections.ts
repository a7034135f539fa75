import type { Section } from './section.js';
import { attachments } from './sections/attachments.js';
import { cacheSettings } from './sections/cache-settings.js';
import { connections } from './sections/connections.js';
import { notifications } from './sections/notifications.js';
import { repositories } from './sections/repositories.js';
import { checkSchedules, drillSchedules } from './sections/repository-plans.js';
import { schedules } from './sections/schedules.js';
import { scripts } from './sections/scripts.js';
import { sourceSets } from './sections/source-sets.js';
import { systemKey } from './sections/system-key.js';

/** All settings, in the order in which they are written: each after those that it refers to. */
export const sections: readonly Section[] = [
  ...[systemKey, connections, sourceSets, repositories, scripts, attachments],
  ...[schedules, checkSchedules, drillSchedules, notifications, cacheSettings],
];

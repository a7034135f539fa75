import type { Clock } from '@holdfast/plugin-api';

export const systemClock: Clock = { now: () => Date.now() };

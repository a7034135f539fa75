import type { Clock } from '@holdfast/core/server';

export const systemClock: Clock = { now: () => Date.now() };

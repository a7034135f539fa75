import { randomInt } from 'node:crypto';

/** A new random epoch, which makes all cached listings of a repository void. */
export const newEpoch = (): number => randomInt(1, 2 ** 48 - 1);

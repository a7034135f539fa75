import { randomInt } from 'node:crypto';

/** A mark that listings of a repository must bear to be used; one that no listing has yet. */
export const newEpoch = (): number => randomInt(1, 2 ** 48 - 1);

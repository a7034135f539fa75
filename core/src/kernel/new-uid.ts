import { randomBytes } from 'node:crypto';

/** A random identity that nothing gets twice, also when the database is put back from a copy. */
export const newUid = (): string => randomBytes(12).toString('hex');

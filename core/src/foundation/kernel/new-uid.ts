import { randomBytes } from 'node:crypto';

/** A random ID that is never given twice, even after the database was restored from a copy. */
export const newUid = (): string => randomBytes(12).toString('hex');

import type { Caller } from './caller.rules.js';

/** Parameter values as stored: passwords are sealed. */
export type ParameterValues = Record<string, string | SealedValue>;
export interface SealedValue {
  sealed: string;
}

/**
 * Replaces a password or a restricted text in answers. A client that sends it back leaves the value
 * unchanged.
 */
export const maskedValue = '***';

/**
 * The text of a script as this caller may see it. Scripts may contain passwords, so only administrators see
 * them.
 */
export const textFor = ({ isAdmin }: Pick<Caller, 'isAdmin'>, text: string): string =>
  isAdmin || text === '' ? text : maskedValue;

export const isSealed = (value: string | SealedValue | undefined): value is SealedValue =>
  typeof value === 'object';

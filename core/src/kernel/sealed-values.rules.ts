import type { Caller } from './caller.rules.js';

/** As stored: values of passwords are sealed. */
export type ParameterValues = Record<string, string | SealedValue>;
export interface SealedValue {
  sealed: string;
}

/** Stands for a password, or a text that is not for everybody, in answers; sent back it means "as it is". */
export const maskedValue = '***';

/** The text of a script as this caller sees it: it may hold passwords, so it is for administrators. */
export const textFor = ({ isAdmin }: Pick<Caller, 'isAdmin'>, text: string): string =>
  isAdmin || text === '' ? text : maskedValue;

export const isSealed = (value: string | SealedValue | undefined): value is SealedValue =>
  typeof value === 'object';

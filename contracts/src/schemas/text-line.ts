import { z } from 'zod';

export const withoutNul = (text: string) => !text.includes('\0');
const oneLine = (text: string) => !/[\0\r\n]/.test(text);
export const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

/** One check for all: lists have ten thousand. */
export const lineOf = (most: number, { mayBeEmpty = true } = {}) =>
  z
    .string()
    .max(most, `must have at most ${most} characters`)
    .superRefine((text, { addIssue }) => {
      const refuse = (message: string) => addIssue({ code: z.ZodIssueCode.custom, message });
      if (!oneLine(text)) refuse('must be one line without NUL');
      if (!wellFormed(text)) refuse('must be well-formed Unicode');
      if (!mayBeEmpty && text === '') refuse('must not be empty');
    });

import { parseArgsStringToArgv } from 'string-argv';

/** The words of a command line; quotes group, nothing is expanded. */
export const shellWords = (text: string): string[] => parseArgsStringToArgv(text);

/** The text as one word of a shell, quoted. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The text as one word of a shell, quoted if it has to be. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quotedWord(text));

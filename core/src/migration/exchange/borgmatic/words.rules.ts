import { parseArgsStringToArgv } from 'string-argv';

/** The words of a command line; quotes group, nothing is expanded. */
export const shellWords = (text: string): string[] => parseArgsStringToArgv(text);

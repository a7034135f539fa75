import { EscapedSplitter } from './escaped-splitter.js';
import { decodeUnicodeEscape } from './unicode-escape.js';

const longestLine = 1024 * 1024;

/** Splits text that comes in pieces into lines. The rest of a line beyond 1 MiB is dropped. */
export interface LineSplitter {
  push(piece: string): string[];
  /** The last line, if no line end followed. */
  end(): string[];
}

const notEmpty = (line: string): boolean => line !== '';

export function plainLines(): LineSplitter {
  let rest = '';
  return {
    push(piece) {
      const lines = (rest + piece).split('\n');
      rest = (lines.pop() as string).slice(0, longestLine);
      return lines.filter(notEmpty);
    },
    end: () => [rest].filter(notEmpty),
  };
}

/** borg escapes its messages like its output, including line ends; other programs end lines as usual. */
export function escapedLines(): LineSplitter {
  const splitter = new EscapedSplitter('\\n');
  return {
    push(piece) {
      const lines = splitter.push(piece.replaceAll('\n', '\\n'));
      splitter.rest = splitter.rest.slice(0, longestLine);
      return lines.map(decodeUnicodeEscape).filter(notEmpty);
    },
    end: () => [decodeUnicodeEscape(splitter.rest)].filter(notEmpty),
  };
}

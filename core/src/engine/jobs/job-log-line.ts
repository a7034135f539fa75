import type { ToolLogLine } from '@holdfast/plugin-api/driver';
import type { Redactor } from '../../foundation/ports/services.js';

const lineBytes = 4096;

/** The log lines for one message: time and level first, secrets redacted, at most 4 KiB each. */
export function formatLogLines({ level, text }: ToolLogLine, now: number, redactor: Redactor): string[] {
  const head = `${new Date(now).toISOString()} ${level.toUpperCase()} `;
  return plainText(redactor.redact(text))
    .split('\n')
    .map((line) => cut(head + line));
}

/** Text that any storage keeps unchanged: control characters and lone surrogates are escaped. */
export function plainText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      .replace(/(?<!\n)\n+$/, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be escaped
      .replace(/[\0-\x08\x0b-\x1f\x7f]/g, (character) => `\\x${hex(character, 2)}`)
      .replace(/\p{Surrogate}/gu, (half) => `\\u${hex(half, 4)}`)
  );
}

const hex = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, '0');

function cut(line: string): string {
  if (line.length * 3 <= lineBytes || Buffer.byteLength(line) <= lineBytes) return line;
  const mark = '…';
  const shortened = Buffer.from(line).subarray(0, lineBytes - Buffer.byteLength(mark));
  return shortened.toString().replace(/\ufffd+$/, '') + mark;
}

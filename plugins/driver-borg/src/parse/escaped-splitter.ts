const backslash = 92;

/**
 * Splits `unicode_escape` text at an escape sequence (`\x00`, `
 * `). The text comes in pieces that may end anywhere. A backslash that is itself escaped does not begin a sequence.
 */
export class EscapedSplitter {
  /** The text after the last separator. */
  rest = '';
  constructor(private readonly separator: string) {}

  push(piece: string): string[] {
    const parts = (this.rest + piece).split(this.separator);
    const last = parts.length - 1;
    const fields: string[] = [];
    let begin = '';
    for (let index = 0; index < last; index++) {
      const field = begin === '' ? (parts[index] as string) : begin + parts[index];
      if (endsInOpenBackslash(field)) {
        begin = field + this.separator;
        continue;
      }
      begin = '';
      fields.push(field);
    }
    this.rest = begin + parts[last];
    return fields;
  }
}

/** An odd number of backslashes: the last one belongs to what follows. */
function endsInOpenBackslash(text: string): boolean {
  let count = 0;
  while (text.charCodeAt(text.length - 1 - count) === backslash) count += 1;
  return count % 2 === 1;
}

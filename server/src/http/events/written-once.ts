const texts = new WeakMap<object, string>();

/** The text of a row that many readers get: it is written for the first of them. */
export function writtenOnce(row: object, write: () => string): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = write();
  texts.set(row, text);
  return text;
}

const lines = /^BORG_KEY ([0-9a-f]{64})\n([A-Za-z0-9+/\n]+={0,2}\n)$/;

/** The repository id in a key file; null if the text is no key file, or an incomplete one. */
export function idOfKeyText(text: string): string | null {
  const [, id, body = ''] = lines.exec(text) ?? [];
  const letters = body.replaceAll('\n', '');
  if (id === undefined || letters.length % 4 !== 0) return null;
  return isWholeMap(Buffer.from(letters, 'base64')) ? id : null;
}

/** The key is one MessagePack map of texts and numbers. The tool crashes on an incomplete one. */
function isWholeMap(bytes: Buffer): boolean {
  const first = bytes[0] ?? 0;
  if (first >> 4 !== 0x8) return false;
  let at = 1;
  for (let left = (first & 0x0f) * 2; left > 0; left--) {
    const size = sizeOfValue(bytes, at);
    if (size === null) return false;
    at += size;
  }
  return at === bytes.length;
}

/** Size including the head of the value; null if no value begins there, or its head is cut off. */
function sizeOfValue(bytes: Buffer, at: number): number | null {
  const head = bytes[at];
  if (head === undefined) return null;
  if (head < 0x80) return 1;
  if (head >> 5 === 0x5) return 1 + (head & 0x1f);
  const numbers: Record<number, number> = { 204: 2, 205: 3, 206: 5, 207: 9 };
  if (numbers[head] !== undefined) return numbers[head];
  const sized: Record<number, number> = { 196: 1, 217: 1, 197: 2, 218: 2 };
  const length = sized[head];
  if (length === undefined || at + 1 + length > bytes.length) return null;
  return 1 + length + bytes.readUIntBE(at + 1, length);
}

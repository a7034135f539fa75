const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a file name. Each byte that is not valid UTF-8 becomes the lone surrogate U+DC00 plus the byte. */
export function decodeName(bytes: Buffer): string {
  const whole = decode(bytes);
  if (whole !== null) return whole;
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    const character = decode(bytes.subarray(at, at + length));
    name += character ?? String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += character === null ? 1 : length;
  }
  return name;
}

const sequenceLength = (lead: number) => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1);

function decode(bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

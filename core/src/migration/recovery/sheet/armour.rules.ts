const first = /^(BORG_KEY [0-9a-f]{64}|-----BEGIN [A-Z ]{1,40}-----)$/;
const last = /^-----END [A-Z ]{1,40}-----$/;

/** The lines of a key, decoded and encoded again in a fixed width; null for any other text. */
export function keyLines(text: string): string[] | null {
  const [head = '', ...lines] = text.trim().split('\n');
  const foot = last.test(lines.at(-1) ?? '') ? lines.splice(-1) : [];
  const letters = lines.join('');
  if (!first.test(head) || !/^[A-Za-z0-9+/]+={0,2}$/.test(letters)) return null;
  const body = Buffer.from(letters, 'base64').toString('base64');
  return [head, ...(body.match(/.{1,70}/g) ?? []), ...foot];
}

/** One way in which a text may stand somewhere. */
export interface Form {
  /** For people: `plain`, `base64`, … */
  name: string;
  bytes: Buffer;
}

/** What comes before decides how the letters of base64 fall: a text has three forms inside of a longer one. */
const alignments = [0, 1, 2];

/** The text as it is, and as the usual encodings write it, alone or in the middle of something longer. */
export function formsOf(text: string): Form[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const forms: [string, string | Buffer][] = [
    ['plain', bytes],
    ['JSON', JSON.stringify(text).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)],
    ['URL', encodeURIComponent(text)],
    ['form', new URLSearchParams([['', text]]).toString().slice(1)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ...alignments.flatMap((before) => insideBase64(bytes, before)),
  ];
  const different = new Map<string, Form>();
  for (const [name, content] of forms) {
    const form = { name, bytes: Buffer.from(content) };
    const key = form.bytes.toString('latin1');
    if (!different.has(key)) different.set(key, form);
  }
  return [...different.values()];
}

/** The letters that the bytes alone decide, whatever stands beside them; in both alphabets. */
function insideBase64(bytes: Buffer, before: number): [string, string][] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const whole = padded.toString('base64').replace(/=+$/, '');
  const first = Math.ceil((before * 4) / 3);
  const letters = whole.slice(first, Math.floor((padded.length * 4) / 3));
  const forUrls = letters.replaceAll('+', '-').replaceAll('/', '_');
  return [
    ['base64', letters],
    ['base64', forUrls],
  ];
}

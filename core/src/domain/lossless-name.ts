const undecodable = /[\ud800-\udfff]/gu;
const escaped = /\\udc([89a-f][0-9a-f])/gi;

/** True when the name holds bytes that aren't UTF-8, which stand in it as lone surrogates. */
export const hasUndecodable = (name: string): boolean => name.search(undecodable) >= 0;

/** The name as it goes over the wire: each byte that isn't UTF-8 as the six characters `\udcXX`. */
export const escapeName = (name: string): string =>
  name.replace(undecodable, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** The inverse of `escapeName` for names without such six characters of their own. */
export const unescapeName = (text: string): string =>
  text.replace(escaped, (_, byte: string) => String.fromCharCode(0xdc00 + Number.parseInt(byte, 16)));

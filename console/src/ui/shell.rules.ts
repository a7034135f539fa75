/** A word that a shell takes as it is, whatever is in it. */
export const quoted = (text: string): string =>
  /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const command = (...words: string[]): string => words.map(quoted).join(' ');

/** A quoted word that a shell passes on unchanged, whatever it contains. */
export const quoted = (text: string): string =>
  /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const command = (...words: string[]): string => words.map(quoted).join(' ');

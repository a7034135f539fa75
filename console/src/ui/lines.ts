/** A text of lines as a list, without empty ones. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

export const withLines = (lines: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...lines, ...more]),
];

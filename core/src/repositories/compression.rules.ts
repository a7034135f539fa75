const levels = { none: null, lz4: null, zstd: { min: 1, max: 22 }, zlib: { min: 0, max: 9 } } as const;

/** Null when the text names a compression that the tool takes, else a sentence that says what is wrong with it. */
export function compressionProblem(text: string): string | null {
  const [name = '', ...rest] = text.split(',');
  if (!Object.hasOwn(levels, name)) {
    return `compression must be lz4, zstd, zlib or none, with a level where it has one (zstd,10); not ${text}.`;
  }
  if (rest.length === 0) return null;
  const range = levels[name as keyof typeof levels];
  if (range === null) return `compression ${name} takes no level.`;
  const [level = ''] = rest;
  const known = rest.length === 1 && /^\d{1,2}$/.test(level);
  if (known && Number(level) >= range.min && Number(level) <= range.max) return null;
  return `compression ${name} takes one level from ${range.min} to ${range.max}.`;
}

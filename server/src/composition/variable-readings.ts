const truths: Record<string, boolean> = { true: true, false: false };
const wordsOfTruth: Record<string, boolean> = {
  1: true,
  0: false,
  yes: true,
  no: false,
  on: true,
  off: false,
};
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** What the text of a variable may mean, the likeliest first: the plugin's schema says which it takes. */
export function readingsOf(text: string): unknown[] {
  const lower = text.trim().toLowerCase();
  const truth = truths[lower];
  const exact = String(Number(text)) === text ? [Number(text)] : [];
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [
    ...(truth === undefined ? [] : [truth]),
    ...exact,
    text,
    ...(number.test(lower) ? [Number(lower)] : []),
    ...(wordsOfTruth[lower] === undefined ? [] : [wordsOfTruth[lower]]),
    ...jsonOf(text),
    list,
    ...(list.every((part) => number.test(part)) ? [list.map(Number)] : []),
  ];
}

function jsonOf(text: string): unknown[] {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

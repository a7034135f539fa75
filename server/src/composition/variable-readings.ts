const booleans: Record<string, boolean> = { true: true, false: false };
const looseBooleans: Record<string, boolean> = {
  1: true,
  0: false,
  yes: true,
  no: false,
  on: true,
  off: false,
};
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Possible interpretations of a variable, most likely first. The plugin's schema decides which one is used.
 */
export function readingsOf(text: string): unknown[] {
  const lower = text.trim().toLowerCase();
  const boolean = booleans[lower];
  const exact = String(Number(text)) === text ? [Number(text)] : [];
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [
    ...(boolean === undefined ? [] : [boolean]),
    ...exact,
    text,
    ...(number.test(lower) ? [Number(lower)] : []),
    ...(looseBooleans[lower] === undefined ? [] : [looseBooleans[lower]]),
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

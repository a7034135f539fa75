const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** Names come from archives and hosts: a terminal must not obey them. */
export const safe = (text: string): string =>
  text.replace(controls, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');

/** The same document for a parser, without characters that a terminal would obey. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(controls, (character) =>
    character === '\n' ? character : `\\u${hex(character.charCodeAt(0), 4)}`,
  );

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const zero = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

const columnsOf = (grapheme: string) => (zero.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);
const split = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

/** Columns of a terminal. */
export const widthOf = (text: string): number =>
  /^[ -~]*$/.test(text) ? text.length : split(text).reduce((sum, each) => sum + columnsOf(each), 0);

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** The beginning of the text that fits. */
function head(text: string, width: number): string {
  let [taken, used] = ['', 0];
  for (const each of split(text)) {
    used += columnsOf(each);
    if (used > width) break;
    taken += each;
  }
  return taken;
}

export const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${head(text, Math.max(0, width - 1))}…`;

/** Lines that fit, broken between words where possible. The later ones are indented. */
export function wrapped(text: string, width: number, indent = 0): string[] {
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S)(?= )/)) {
    if (widthOf(line + word) <= width) {
      line += word;
      continue;
    }
    if (line.trim() !== '') lines.push(line);
    line = lines.length === 0 ? word : margin + word.trimStart();
    while (widthOf(line) > width) {
      const begin = head(line, width);
      lines.push(begin);
      line = margin + line.slice(begin.length);
    }
  }
  return [...lines, line];
}

/**
 * Rows of which the first cell is the name. Aligned if every row fits; otherwise the other cells come below it.
 */
export function tableLines(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const aligned = rows.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  if (aligned.every((line) => widthOf(line) <= width)) return aligned;
  return rows.flatMap(([name = '', ...others]) => [
    ...wrapped(name, width, 2),
    ...wrapped(`  ${others.filter(Boolean).join('  ')}`, width, 2).filter((line) => line.trim() !== ''),
  ]);
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** Decimal units, as disks are sold: 1 kB is 1,000 bytes. */
export function bytes(value: number): string {
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled < 100 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`;
}

export function duration(seconds: number): string {
  const [whole, minutes] = [Math.round(seconds), Math.round(seconds / 60)];
  if (whole < 60) return `${whole} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** In the time zone of this machine: 2026-11-12 04:00. */
export function time(iso: string | null | undefined): string {
  if (!iso) return '';
  const at = new Date(iso);
  const two = (part: number) => `${part}`.padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

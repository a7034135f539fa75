import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** All that an eye or a camera gets from a sheet on paper. */
export interface PrintedSheet {
  text: string;
  /** What the QR codes say. */
  codes: string[];
}

/** Reads a PDF as `pdftotext` and a camera do. */
export function readPrinted(pdf: Buffer, folder: string): PrintedSheet {
  const file = join(folder, 'sheet.pdf');
  writeFileSync(file, pdf);
  const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
  execFileSync('pdftoppm', ['-r', '200', '-gray', '-png', file, join(folder, 'page')]);
  const pages = readdirSync(folder).filter((name) => name.endsWith('.png'));
  const codes = pages.flatMap((page) => codesIn(join(folder, page)));
  return { text, codes };
}

function codesIn(image: string): string[] {
  try {
    const xml = execFileSync('zbarimg', ['-q', '--xml', '--nodbus', image], { encoding: 'utf8' });
    return [...xml.matchAll(/<data[^>]*><!\[CDATA\[([\s\S]*?)\]\]><\/data>/g)].map(([, code]) => code ?? '');
  } catch (error) {
    // 4: there is none on the page.
    if ((error as { status?: number }).status === 4) return [];
    throw error;
  }
}

/** Everything that a PDF holds: as it is, its streams unpacked, and its texts decoded. */
export function insideOf(pdf: Buffer): string {
  const whole = pdf.toString('latin1');
  const streams = [...whole.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, packed = '']) => {
    try {
      return inflateSync(Buffer.from(packed, 'latin1')).toString('latin1');
    } catch {
      return packed;
    }
  });
  const texts = streams.map((stream) =>
    [...stream.matchAll(/<([0-9a-f]+)>/gi)]
      .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
      .join(''),
  );
  return [whole, ...streams, ...texts].join('\n');
}

/** The lines for a shell in the parts of a sheet, as they are printed. Titles are those of its parts. */
export function commandsIn(text: string, part: string): string {
  const lines = text.replaceAll('\f', '\n').split('\n');
  const from = lines.findIndex((line) => line.trim().startsWith(part));
  if (from < 0) throw new Error(`no part ${part} in\n${text}`);
  const begins = /^(mkdir -p ~|cat > |unset |export DATA_DIR)/;
  const ends = /^(umask|END$|mkdir -p files-|holdfast recover)/;
  const first = lines.findIndex((line, at) => at > from && begins.test(line));
  const last = lines.findIndex((line, at) => at >= first && ends.test(line) && isLast(lines, at));
  return lines
    .slice(first, last + 1)
    .filter((line) => line !== '')
    .join('\n');
}

/** A key within the commands of a repository ends with the same word as that of SSH, which stands alone. */
const isLast = (lines: string[], at: number) =>
  lines[at] !== 'END' || !/^(export|#)/.test(lines[at + 1] ?? '');

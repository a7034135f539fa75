import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SheetDocument, SheetPart } from '@holdfast/core/server';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';

const margin = 40;
const codeSize = 150;
const size = { title: 16, heading: 11.5, text: 9, commands: 8 } as const;
const line = { text: 12, commands: 10.2 } as const;
const labelWidth = 68;
const fonts = { text: 'Helvetica', bold: 'Helvetica-Bold', fixed: 'Courier' } as const;

type Pdf = InstanceType<typeof PDFDocument>;

/** Pages of A4. Each part stays on one page if it fits, so that its commands can be copied in one go. */
export async function sheetPdf(sheet: SheetDocument): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    lang: 'en',
    info: { Title: sheet.title, Creator: 'Holdfast' },
  });
  const pieces: Buffer[] = [];
  pdf.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  pdf.font(fonts.bold).fontSize(size.title).text(sheet.title);
  pdf.font(fonts.text).fontSize(size.text);
  for (const sentence of sheet.lead) pdf.moveDown(0.3).text(sentence);
  for (const part of sheet.parts) {
    await nextTurn();
    addPart(pdf, part);
  }
  addFeet(pdf, sheet.foot);
  pdf.end();
  await ended;
  return Buffer.concat(pieces);
}

const bottomOf = (pdf: Pdf) => pdf.page.height - margin - line.text;
const widthOf = (pdf: Pdf) => pdf.page.width - 2 * margin;

function addPart(pdf: Pdf, part: SheetPart): void {
  const { title, facts, notes, commands, code } = part;
  pdf.y += 18;
  if (pdf.y + heightOf(pdf, part) > bottomOf(pdf)) pdf.addPage();
  pdf.font(fonts.bold).fontSize(size.heading).text(title, margin);
  pdf.y += 4;
  const top = pdf.y;
  const width = widthOf(pdf) - (code ? codeSize + 16 : 0);
  for (const [label, value] of facts) addFact(pdf, { label, value, width });
  pdf.font(fonts.text).fontSize(size.text);
  for (const note of notes) pdf.text(note, margin, pdf.y + 3, { width });
  if (code) pdf.y = Math.max(pdf.y, top + addCode(pdf, code, top));
  addCommands(pdf, commands);
}

const factWidth = (width: number) => width - labelWidth;

function addFact(pdf: Pdf, { label, value, width }: { label: string; value: string; width: number }): void {
  const { y } = pdf;
  pdf.font(fonts.text).fontSize(size.text).text(label, margin, y);
  pdf.font(fonts.fixed).fontSize(size.text);
  for (const [at, row] of rows(pdf, value, factWidth(width)).entries())
    pdf.text(row, margin + labelWidth, y + at * line.text, { lineBreak: false });
  pdf.x = margin;
  pdf.y = y + rows(pdf, value, factWidth(width)).length * line.text;
}

/**
 * Breaks at the width of the line, because a path has no words, but not at a blank, which would be invisible.
 */
function rows(pdf: Pdf, text: string, width: number): string[] {
  const most = Math.max(1, Math.floor(width / pdf.widthOfString('m')));
  const signs = text.match(/\\u\{[0-9a-f]+\}|./gsu) ?? [];
  const rows: string[] = [];
  let row: string[] = [];
  for (const sign of signs) {
    if (row.join('').length + sign.length > most) {
      const [before, last] = [row.at(-2), row.at(-1)];
      const kept = last === ' ' && before ? [before, last] : sign === ' ' && last ? [last] : [];
      rows.push(row.slice(0, row.length - kept.length).join(''));
      row = kept;
    }
    row.push(sign);
  }
  return [...rows, row.join('')];
}

function addCommands(pdf: Pdf, commands: readonly string[]): void {
  if (commands.length === 0) return;
  pdf.y += 6;
  pdf.font(fonts.fixed).fontSize(size.commands);
  for (const command of commands) {
    if (pdf.y + line.commands > bottomOf(pdf)) pdf.addPage();
    const { y } = pdf;
    pdf.rect(margin - 6, y - 1.5, 1.5, line.commands).fill('#888');
    pdf.fill('#000').text(command, margin, y, { lineBreak: false });
    pdf.y = y + line.commands;
  }
  pdf.x = margin;
}

/** Squares of vectors: sharp in every size. @returns how much room it takes */
function addCode(pdf: Pdf, { label, text }: NonNullable<SheetPart['code']>, top: number): number {
  const { data, size: modules } = encode(text, { ecc: 'L', border: 2 });
  const left = margin + widthOf(pdf) - codeSize;
  const module = codeSize / modules;
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) pdf.rect(left + column * module, top + row * module, module, module);
  pdf.fill('#000');
  pdf
    .font(fonts.text)
    .fontSize(7.5)
    .text(label, left, top + codeSize, { width: codeSize, align: 'center' });
  return codeSize + 14;
}

function heightOf(pdf: Pdf, { facts, notes, commands, code }: SheetPart): number {
  const width = widthOf(pdf) - (code ? codeSize + 16 : 0);
  pdf.font(fonts.fixed).fontSize(size.text);
  const ofFacts = facts.map(([, value]) => rows(pdf, value, factWidth(width)).length * line.text);
  pdf.font(fonts.text);
  const ofNotes = notes.map((note) => pdf.heightOfString(note, { width }) + 3);
  const beside = [...ofFacts, ...ofNotes].reduce((sum, height) => sum + height, 0);
  return 20 + Math.max(beside, code ? codeSize + 14 : 0) + 6 + commands.length * line.commands;
}

function addFeet(pdf: Pdf, foot: string): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    // Below the margin, where a text would begin another page.
    pdf.page.margins.bottom = 0;
    pdf.font(fonts.text).fontSize(7.5).fill('#555');
    pdf.text(`${foot} · page ${page - start + 1} of ${count}`, margin, pdf.page.height - 28, {
      width: widthOf(pdf),
      align: 'center',
      lineBreak: false,
    });
  }
}

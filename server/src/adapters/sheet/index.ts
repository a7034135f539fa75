import type { SheetPress } from '@holdfast/core/server';

/** The libraries are loaded with the first sheet. */
export const sheetPress: SheetPress = {
  pdf: async (sheet) => (await import('./pdf.js')).sheetPdf(sheet),
  seal: async (content, passphrase) => (await import('./age.js')).sealed(content, passphrase),
};

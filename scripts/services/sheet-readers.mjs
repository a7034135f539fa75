import { findProgram } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const programs = ['pdftotext', 'pdftoppm', 'zbarimg', 'age'];
const isThere = () => programs.every((program) => findProgram(program));

/** What reads a recovery sheet from outside: its pages, its QR codes, and a sealed one. */
export const sheetReaders = {
  name: 'pdftotext, pdftoppm, zbarimg and age',
  neededBy: /pdftotext/,
  variable: 'PATH',
  async prepare() {
    if (!isThere()) {
      await installWithSystem('what reads a recovery sheet', {
        'apt-get': ['poppler-utils', 'zbar-tools', 'age'],
        dnf: ['poppler-utils', 'zbar', 'age'],
        pacman: ['poppler', 'zbar', 'age'],
        apk: ['poppler-utils', 'zbar', 'age'],
        zypper: ['poppler-tools', 'zbar', 'age'],
        brew: ['poppler', 'zbar', 'age'],
      });
    }
    const missing = programs.filter((program) => !findProgram(program));
    if (missing.length > 0) throw new Error(`${missing.join(', ')}: installed, but not on PATH.`);
    return { found: programs.map((program) => findProgram(program)).join(', '), env: {} };
  },
};

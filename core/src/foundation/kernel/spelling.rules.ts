const beyondAscii = /[^ -~]/;

/** The composed form, which is the same for both spellings of an accented letter (macOS stores the decomposed one). */
export const composed = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFC') : text);

/** A text as it is, and in its other spellings. */
export const spellings = (text: string): string[] =>
  beyondAscii.test(text) ? [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])] : [text];

/** Capital letters and small ones are the same, wherever in a word: Greek has two small sigmas. */
export const caseless = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

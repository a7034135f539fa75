const beyondAscii = /[^ -~]/;

/** The composed form, which is the same for both spellings of an accented letter (macOS stores the decomposed one). */
export const composed = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFC') : text);

/** A text as it is, and in its other spellings. */
export const spellings = (text: string): string[] =>
  beyondAscii.test(text) ? [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])] : [text];

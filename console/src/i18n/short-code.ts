/** Code of a sentence as in the bundle. With five letters, one of another program is as good as never taken for it. */
export function shortCode(code: string): string {
  let sum = 7;
  for (const letter of code) sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0;
  return `_${(sum >>> 0).toString(36).slice(-5)}`;
}

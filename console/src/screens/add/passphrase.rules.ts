/** How many words: 72 bits. */
const wordCount = 6;

/** Each word is equally likely: 16 random bits are a multiple of the 4,096 words. */
export function drawPassphrase(words: readonly string[]): string {
  if (65_536 % words.length !== 0) throw new Error('The number of words must divide 65,536.');
  return Array.from(
    crypto.getRandomValues(new Uint16Array(wordCount)),
    (number) => words[number % words.length],
  ).join(' ');
}

/** Case and space around it do not matter. */
export const isWord = (passphrase: string, place: number, typed: string): boolean =>
  passphrase.split(' ')[place - 1] === typed.trim().toLowerCase();

import address from './words.txt?url';

/**
 * The 4,096 shortest words of the EFF Large Wordlist, by the Electronic Frontier Foundation, licensed under Creative
 * Commons Attribution 3.0 US. A word has 12 bits.
 */
export async function readWords(): Promise<string[]> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The list of words answered ${answer.status}.`);
  return wordsIn(await answer.text());
}

export const wordsIn = (text: string): string[] => text.trim().split(/\s+/);

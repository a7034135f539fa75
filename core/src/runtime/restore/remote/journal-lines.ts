import { bytesOfName } from '../../../domain/lossless-bytes.js';
import type { Journal } from '../moves.js';
import { hostWord } from './host-program.js';

/** A journal as the program on the host reads it. `tree`: where its moves begin. */
export function* journalLines(tree: string, { made, moves }: Journal): Generator<string> {
  const word = (path: string) => hostWord(bytesOfName(path));
  for (const path of made) yield `make ${word(path)}\n`;
  for (const [index, { from, to, replace }] of moves.entries()) {
    yield `move ${index} ${replace ? 1 : 0} ${word(from.slice(tree.length + 1))} ${word(to)}\n`;
  }
  for (const path of made.toReversed()) yield `unmake ${word(path)}\n`;
  yield 'end\n';
}

import { bytesOfName } from '../../archives/lossless-bytes.rules.js';
import type { Journal } from '../stage/journal.js';
import { hostWord } from './host-program.js';

/** A journal as the program on the host reads it. */
export function* journalLines({ made, moves, modes }: Journal): Generator<string> {
  const word = (path: string) => hostWord(bytesOfName(path));
  for (const path of made) yield `make ${word(path)}\n`;
  for (const [index, { from, to, replace }] of moves.entries()) {
    yield `move ${index} ${replace ? 1 : 0} ${word(from)} ${word(to)}\n`;
  }
  for (const [path, mode] of modes.toReversed()) yield `mode ${mode.toString(8)} ${word(path)}\n`;
  for (const path of made.toReversed()) yield `unmake ${word(path)}\n`;
  yield 'end\n';
}

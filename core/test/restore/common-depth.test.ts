import { expect, it } from 'vitest';
import { commonDepth } from '../../src/backup/restore/restore.rules.js';

it.each([
  [[], 0],
  [['home'], 0],
  [['home/ann/letters'], 2],
  [['home/ann/letters', 'home/ann/photos'], 2],
  [['home/ann/letters/march', 'home/ann/photos'], 2],
  [['home/ann/letters', 'home/bob'], 1],
  [['home/ann', 'etc/hosts'], 0],
])('returns for %j a depth of %i', (paths, depth) => expect(commonDepth(paths)).toBe(depth));

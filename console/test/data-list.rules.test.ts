import { expect, test } from 'vitest';
import { findIn } from '../src/ui/data-list.rules.js';

interface Row {
  name: string;
  tags: string[];
}
const rows: Row[] = [
  { name: 'Photos', tags: ['family'] },
  { name: 'mail', tags: [] },
];
const columns = [
  { key: 'name', text: ({ name }: Row) => name },
  { key: 'tags', text: ({ tags }: Row) => tags.join(' ') },
  { key: 'size' },
];

test.each([
  ['PHOTO', ['Photos']],
  [' family ', ['Photos']],
  ['', ['Photos', 'mail']],
  ['nothing', []],
])('finds rows by any text of their columns when "%s" is typed', (typed, names) => {
  expect(findIn(rows, columns, typed).map(({ name }) => name)).toEqual(names);
});

import type { ImportEnvironment } from '@holdfast/plugin-api/importer';
import { describe, expect, it } from 'vitest';
import { Answers } from '../src/answers.js';
import { optionsOf } from '../src/options.js';
import { readTree } from '../src/read-tree.js';
import { resolved } from '../src/resolve.js';
import { type Tree, textsOf } from '../src/tree.js';

type Given = ImportEnvironment['answers'];

const plain = (tree: Tree): unknown => {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plain(value)]));
};

function read(content: string, given: Given = []) {
  const answers = new Answers({ answers: given });
  const tree = resolved(readTree({ name: '/etc/borgmatic/config.yaml', content }, answers), answers);
  return { tree, answers, value: plain(tree) };
}
const include = (name: string, text: string) => ({ kind: 'include' as const, name, text });

describe('includes', () => {
  const common = include('/etc/borgmatic/common.yaml', 'keep_daily: 7\nlist: [a, b]\nmap: {x: 1, y: 2}\n');

  it('are merged below: maps merge, lists follow each other, the last text wins', () => {
    const { value } = read('<<: !include common.yaml\nkeep_daily: 3\nlist: [c]\nmap: {y: 5}\n', [common]);
    expect(value).toEqual({ keep_daily: 3, list: ['a', 'b', 'c'], map: { x: 1, y: 5 } });
  });

  it('give way to !retain, and drop values in !omit', () => {
    const text = '<<: !include common.yaml\nlist:\n  - !omit a\n  - c\nmap: !retain {y: 5}\n';
    expect(read(text, [common]).value).toEqual({ keep_daily: 7, list: ['b', 'c'], map: { y: 5 } });
    const retained = read('<<: !include common.yaml\nlist: !retain [c]\n', [common]);
    expect(retained.value).toMatchObject({ list: ['c'] });
  });

  it('may be several, nested, and values; lines refer to their own file', () => {
    const files = [
      common,
      include('/etc/borgmatic/sub/inner.yaml', '- /one\n- /two\n'),
      include('/etc/borgmatic/other.yaml', '\nsource_directories: !include sub/inner.yaml\nkeep_daily: 9\n'),
    ];
    const { value, tree } = read('<<: !include [common.yaml, other.yaml]\n', files);
    expect(value).toMatchObject({ keep_daily: 9, source_directories: ['/one', '/two'] });
    const option = optionsOf(tree).find(({ name }) => name === 'source_directories');
    expect(option).toMatchObject({ file: '/etc/borgmatic/other.yaml', line: 2 });
  });

  it('are asked for by name, and never end in a circle', () => {
    const { answers } = read('<<: !include common.yaml\n');
    expect(answers.needs).toEqual([
      {
        kind: 'include',
        name: '/etc/borgmatic/common.yaml',
        file: '/etc/borgmatic/config.yaml',
        line: 1,
        optional: false,
      },
    ]);
    const circle = include('/etc/borgmatic/circle.yaml', '<<: !include circle.yaml\n');
    expect(() => read('<<: !include circle.yaml\n', [circle])).toThrow(/nested too deeply/);
  });
});

describe('values', () => {
  it('take variables, defaults and escapes', () => {
    const text = 'a: $<ONE>\nb: $<TWO:-two>\nc: $<THREE-three>\nd: \\$<ONE>\n'.replace(/<(.*?)>/g, '{$1}');
    const { value, answers } = read(text, [{ kind: 'variable', name: 'ONE', text: '1' }]);
    expect(value).toEqual({ a: '1', b: 'two', c: 'three', d: `$${'{ONE}'}` });
    expect(answers.needs.filter(({ optional }) => !optional)).toEqual([]);
    expect(read(text).answers.needs[0]).toMatchObject({
      kind: 'variable',
      name: 'ONE',
      line: 1,
      optional: false,
    });
    const given = read(text, [{ kind: 'variable', name: 'TWO', text: 'given' }]);
    expect(given.value).toMatchObject({ b: 'given' });
  });

  it('take constants, quoted for a shell in hooks', () => {
    const text = `constants: {who: it's me, n: 7}\nkeep_daily: '{n}'\nname: x-{who}-{other}\nbefore_backup: ['echo {who}']\nkept: '\\{who\\}'\n`;
    expect(read(text).value).toMatchObject({
      keep_daily: 7,
      name: "x-it's me-{other}",
      kept: '{who}',
      before_backup: ["echo 'it'\\''s me'"],
    });
  });

  it('take credentials', () => {
    const text = "encryption_passphrase: '{credential systemd borg}'\n";
    const given = [{ kind: 'credential' as const, name: 'systemd borg', text: 'sesame' }];
    expect(read(text, given).value).toEqual({ encryption_passphrase: 'sesame' });
  });
});

describe('files', () => {
  it('are read with sections like flat ones and keep their names', () => {
    const { tree } = read('location:\n  source_directories: [/home]\n  numeric_owner: true\nkeep_daily: 1\n');
    expect(optionsOf(tree).map(({ name, key, line }) => [name, key, line])).toEqual([
      ['source_directories', 'location.source_directories', 2],
      ['numeric_ids', 'location.numeric_owner', 3],
      ['keep_daily', 'keep_daily', 4],
    ]);
    expect(textsOf(optionsOf(tree)[0]?.value)).toEqual(['/home']);
  });

  it.each([
    ['a: [1\nb: 2\n', 2],
    ['- one\n- two\n', 1],
    ['just text', 1],
  ])('are refused with their line when they contain no options: %j', (content, line) => {
    expect(() => read(content)).toThrow(
      expect.objectContaining({ place: expect.objectContaining({ line }) }),
    );
  });

  it('are refused with exponentially growing aliases', () => {
    const rows = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let n = 1; n < 8; n++)
      rows.push(
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
      );
    expect(() => read(rows.join('\n'))).toThrow(/too large/);
  });

  it('have no options when they are empty', () => {
    expect(read('').value).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { Answers } from '../../src/migration/exchange/borgmatic/answers.rules.js';
import { optionsOf } from '../../src/migration/exchange/borgmatic/options.rules.js';
import { readTree } from '../../src/migration/exchange/borgmatic/read-tree.js';
import { resolved } from '../../src/migration/exchange/borgmatic/resolve.rules.js';
import { type Tree, textsOf } from '../../src/migration/exchange/borgmatic/tree.js';

type Given = ConstructorParameters<typeof Answers>[0];

const plain = (tree: Tree): unknown => {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plain(value)]));
};

async function read(content: string, given: Given = []) {
  const answers = new Answers(given);
  const tree = resolved(await readTree({ name: '/etc/borgmatic/config.yaml', content }, answers), answers);
  return { tree, answers, value: plain(tree) };
}
const include = (name: string, text: string) => ({ kind: 'include' as const, name, text });

describe('includes', () => {
  const common = include('/etc/borgmatic/common.yaml', 'keep_daily: 7\nlist: [a, b]\nmap: {x: 1, y: 2}\n');

  it('are merged below: maps merge, lists follow each other, the last text wins', async () => {
    const { value } = await read('<<: !include common.yaml\nkeep_daily: 3\nlist: [c]\nmap: {y: 5}\n', [
      common,
    ]);
    expect(value).toEqual({ keep_daily: 3, list: ['a', 'b', 'c'], map: { x: 1, y: 5 } });
  });

  it('give way to !retain, and lose what !omit names', async () => {
    const text = '<<: !include common.yaml\nlist:\n  - !omit a\n  - c\nmap: !retain {y: 5}\n';
    expect((await read(text, [common])).value).toEqual({ keep_daily: 7, list: ['b', 'c'], map: { y: 5 } });
    const retained = await read('<<: !include common.yaml\nlist: !retain [c]\n', [common]);
    expect(retained.value).toMatchObject({ list: ['c'] });
  });

  it('may be several, nested, and values; lines are those of their own file', async () => {
    const files = [
      common,
      include('/etc/borgmatic/sub/inner.yaml', '- /one\n- /two\n'),
      include('/etc/borgmatic/other.yaml', '\nsource_directories: !include sub/inner.yaml\nkeep_daily: 9\n'),
    ];
    const { value, tree } = await read('<<: !include [common.yaml, other.yaml]\n', files);
    expect(value).toMatchObject({ keep_daily: 9, source_directories: ['/one', '/two'] });
    const option = optionsOf(tree).find(({ name }) => name === 'source_directories');
    expect(option).toMatchObject({ file: '/etc/borgmatic/other.yaml', line: 2 });
  });

  it('are asked for by name, and never end in a circle', async () => {
    const { answers } = await read('<<: !include common.yaml\n');
    expect(answers.missing).toEqual([
      {
        kind: 'include',
        name: '/etc/borgmatic/common.yaml',
        file: '/etc/borgmatic/config.yaml',
        line: 1,
        optional: false,
      },
    ]);
    const circle = include('/etc/borgmatic/circle.yaml', '<<: !include circle.yaml\n');
    await expect(read('<<: !include circle.yaml\n', [circle])).rejects.toMatchObject({
      reason: { code: 'borgmatic_file_unreadable' },
    });
  });
});

describe('values', () => {
  it('take variables, defaults and escapes', async () => {
    const text = 'a: $<ONE>\nb: $<TWO:-two>\nc: $<THREE-three>\nd: \\$<ONE>\n'.replace(/<(.*?)>/g, '{$1}');
    const { value, answers } = await read(text, [{ kind: 'variable', name: 'ONE', text: '1' }]);
    expect(value).toEqual({ a: '1', b: 'two', c: 'three', d: `$${'{ONE}'}` });
    expect(answers.missing).toEqual([]);
    expect((await read(text)).answers.missing).toMatchObject([{ kind: 'variable', name: 'ONE', line: 1 }]);
    const given = await read(text, [{ kind: 'variable', name: 'TWO', text: 'given' }]);
    expect(given.value).toMatchObject({ b: 'given' });
  });

  it('take constants, quoted for a shell in hooks', async () => {
    const text = `constants: {who: it's me, n: 7}\nkeep_daily: '{n}'\nname: x-{who}-{other}\nbefore_backup: ['echo {who}']\nkept: '\\{who\\}'\n`;
    expect((await read(text)).value).toMatchObject({
      keep_daily: 7,
      name: "x-it's me-{other}",
      kept: '{who}',
      before_backup: ["echo 'it'\\''s me'"],
    });
  });

  it('take credentials', async () => {
    const text = "encryption_passphrase: '{credential systemd borg}'\n";
    const given = [{ kind: 'credential' as const, name: 'systemd borg', text: 'sesame' }];
    expect((await read(text, given)).value).toEqual({ encryption_passphrase: 'sesame' });
  });
});

describe('files', () => {
  it('with sections count as flat ones, and keep their names', async () => {
    const { tree } = await read(
      'location:\n  source_directories: [/home]\n  numeric_owner: true\nkeep_daily: 1\n',
    );
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
  ])('that are no list of options are refused with their line: %j', async (content, line) => {
    await expect(read(content)).rejects.toMatchObject({
      reason: { code: 'borgmatic_file_unreadable', params: { line } },
    });
  });

  it('of aliases that grow without end are refused', async () => {
    const rows = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let n = 1; n < 8; n++)
      rows.push(
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
      );
    await expect(read(rows.join('\n'))).rejects.toMatchObject({
      reason: { code: 'borgmatic_file_unreadable' },
    });
  });

  it('that are empty have no options', async () => {
    expect((await read('')).value).toEqual({});
  });
});

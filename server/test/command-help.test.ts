import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { makeProgram } from '../src/cli/program.js';

/** The words of each command that does something, and its ancestors below the program. */
function leavesOf(command: Command, above: Command[] = []): { words: string[]; above: Command[] }[] {
  const words = [...above, command].map((each) => each.name());
  const own = command.registeredArguments.length > 0 || command.commands.length === 0;
  return [
    ...(own ? [{ words, above }] : []),
    ...command.commands.flatMap((each) => leavesOf(each, [...above, command])),
  ];
}
const find = (program: Command, words: readonly string[]): Command =>
  words.reduce((at, word) => at.commands.find((each) => each.name() === word) as Command, program);

describe.each(makeProgram().commands.flatMap((command) => leavesOf(command)))(
  '$words',
  ({ words, above }) => {
    it('shows each option that it takes', async () => {
      const options = [...above.flatMap((each) => each.options), ...find(makeProgram(), words).options];
      for (const { flags, required, optional, long } of options) {
        const program = makeProgram();
        const command = find(program, words);
        for (const each of [program, ...words.map((_, n) => find(program, words.slice(0, n + 1)))])
          each.exitOverride().configureOutput({ writeErr: () => {} });
        let taken = false;
        command.action(() => {
          taken = true;
        });
        const given = command.registeredArguments.map(() => 'text');
        const needed = command.options
          .filter(({ mandatory }) => mandatory)
          .flatMap((each) => [each.long, 'text']);
        const value = required || optional ? ['text'] : [];
        const line = [...words, ...given, ...needed, long, ...value] as string[];
        await program.parseAsync(line, { from: 'user' }).catch(() => {});
        expect([flags, taken && !command.helpInformation().includes(flags)]).toEqual([flags, false]);
      }
    });
  },
);

it('lists the options of both commands of an import', () => {
  const help = find(makeProgram(), ['import', 'borgmatic']).helpInformation();
  for (const option of ['--plan', '--url', '--json', '--without', '--replace-sources', '--take-over'])
    expect(help).toContain(option);
});

const docs = new URL('../../docs/', import.meta.url);

it('documents only commands and options that exist', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const calls = pages.flatMap((page) => {
    const text = readFileSync(new URL(page, docs), 'utf8').replaceAll('\\\n', ' ');
    const found = text.matchAll(/(?:^|[|`]) *(?:npx )?holdfast ([a-z][^\n#`|]*)/gm);
    return [...found].map(([, line = '']) => ({ page, words: line.trim().split(/\s+/) }));
  });
  expect(calls.length).toBeGreaterThan(40);
  const wrong = calls.filter(({ words }) => {
    let command: Command = makeProgram();
    const options = ['--help'];
    for (const word of words) {
      const next = command.commands.find((each) => each.name() === word);
      if (!next) break;
      command = next;
      options.push(...command.options.flatMap(({ long }) => long ?? []));
    }
    const asked = words.filter((word) => word.startsWith('--'));
    const { commands, options: own, registeredArguments } = command;
    const isNamed = commands.length === 0 || own.length > 0 || registeredArguments.length > 0;
    return !isNamed || asked.some((option) => !options.includes(option));
  });
  expect(wrong.map(({ page, words }) => `${page}: ${words.join(' ')}`)).toEqual([]);
});

import type { BorgmaticLine } from '@holdfast/contracts';
import { type Message, shownReason } from '../../../foundation/kernel/index.js';
import type { Option } from './tree.js';

type Result = BorgmaticLine['result'] | 'lost';
const weight: Record<Result, number> = { taken: 0, changed: 1, left_out: 2, lost: 3 };

interface Line {
  option: Option;
  result: Result;
  why: Message | null;
  /** Of a loss: the name by which a person accepts it; null: it can't be accepted. */
  name: string | null;
}

/** What became of each option. What several repositories share is told once, as the least that became of it. */
export class Report {
  readonly #lines = new Map<string, Line>();
  /** The keys of options, and of those that they are in. */
  readonly #known = new Set<string>();

  take(option: Option | undefined): void {
    this.#add(option, 'taken', null);
  }

  change(option: Option | undefined, why: Message): void {
    this.#add(option, 'changed', why);
  }

  /** For what changes nothing in the archives, nor in what is kept or told. */
  leave(option: Option | undefined, why: Message): void {
    this.#add(option, 'left_out', why);
  }

  /** Less would be saved, kept or told than before: without a yes to `name`, nothing of the file is taken over. */
  lose(option: Option | undefined, why: Message, name: string | null): void {
    this.#add(option, 'lost', why, name);
  }

  get losses(): { option: Option; name: string | null }[] {
    return [...this.#lines.values()].filter(({ result }) => result === 'lost');
  }

  /** Whether anything was said of it, or of something in it. */
  knows({ key }: Option): boolean {
    return this.#known.has(key);
  }

  lines(): BorgmaticLine[] {
    return [...this.#lines.values()]
      .map(({ option: { file, line, key }, result, why, name }) => ({
        file,
        line,
        key,
        result: result === 'lost' ? ('left_out' as const) : result,
        ...shownReason(why),
        accept_as: name,
      }))
      .sort((a, b) => (a.file === b.file ? a.line - b.line : 0));
  }

  #add(option: Option | undefined, result: Result, why: Message | null, name: string | null = null): void {
    if (!option) return;
    this.#known.add(option.key);
    for (const { index } of option.key.matchAll(/[.[]/g)) this.#known.add(option.key.slice(0, index));
    const id = `${option.file}:${option.line}:${option.key}`;
    const known = this.#lines.get(id);
    if (!known || weight[known.result] < weight[result]) this.#lines.set(id, { option, result, why, name });
  }
}

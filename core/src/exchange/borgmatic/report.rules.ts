import type { BorgmaticLine } from '@holdfast/contracts';
import { type Message, shownReason } from '../../kernel/index.js';
import type { Option } from './tree.js';

type Result = BorgmaticLine['result'];
const weight: Record<Result, number> = { taken: 0, changed: 1, left_out: 2 };

interface Line {
  option: Option;
  result: Result;
  why: Message | null;
}

/** What became of each option. What several repositories share is told once, as the least that became of it. */
export class Report {
  readonly #lines = new Map<string, Line>();

  take(option: Option | undefined): void {
    this.#add(option, 'taken', null);
  }

  change(option: Option | undefined, why: Message): void {
    this.#add(option, 'changed', why);
  }

  leave(option: Option | undefined, why: Message): void {
    this.#add(option, 'left_out', why);
  }

  /** Whether anything was said of it, or of something in it. */
  knows({ key }: Option): boolean {
    return [...this.#lines.values()].some(
      ({ option }) =>
        option.key === key || option.key.startsWith(`${key}.`) || option.key.startsWith(`${key}[`),
    );
  }

  lines(): BorgmaticLine[] {
    return [...this.#lines.values()]
      .map(({ option: { file, line, key }, result, why }) => ({
        ...{ file, line, key, result },
        ...shownReason(why),
      }))
      .sort((a, b) => (a.file === b.file ? a.line - b.line : 0));
  }

  #add(option: Option | undefined, result: Result, why: Message | null): void {
    if (!option) return;
    const id = `${option.file}:${option.line}:${option.key}`;
    const known = this.#lines.get(id);
    if (!known || weight[known.result] < weight[result]) this.#lines.set(id, { option, result, why });
  }
}

import type { Message } from '@holdfast/plugin-api';
import type { ImportLine } from '@holdfast/plugin-api/importer';
import { type Option, withoutValue } from './tree.js';

const weight: Record<ImportLine['result'], number> = { taken: 0, changed: 1, left_out: 2, lost: 3 };

/**
 * The result of each option. An option shared by several repositories is reported once, with its worst
 * result.
 */
export class Report {
  readonly #lines = new Map<string, ImportLine>();
  /** The keys of options, and of those that they are in. */
  readonly #known = new Set<string>();

  take(option: Option | undefined): void {
    this.#add(option, 'taken', null);
  }

  change(option: Option | undefined, why: Message): void {
    this.#add(option, 'changed', why);
  }

  /** For options without effect on archives, retention or notifications. */
  leave(option: Option | undefined, why: Message): void {
    this.#add(option, 'left_out', why);
  }

  /**
   * Less would be saved, kept or reported than before: without consent to `name`, nothing of the file is
   * imported.
   */
  lose(option: Option | undefined, why: Message, name: string | null): void {
    this.#add(option, 'lost', why, name);
  }

  /** Whether anything was said of it, or of something in it. */
  knows({ key }: Option): boolean {
    return this.#known.has(key);
  }

  get lines(): ImportLine[] {
    return [...this.#lines.values()].sort(({ option: a }, { option: b }) =>
      a.file === b.file ? a.line - b.line : 0,
    );
  }

  #add(
    option: Option | undefined,
    result: ImportLine['result'],
    why: Message | null,
    accept_as: string | null = null,
  ): void {
    if (!option) return;
    this.#known.add(option.key);
    for (const { index } of option.key.matchAll(/[.[]/g)) this.#known.add(option.key.slice(0, index));
    const id = `${option.file}:${option.line}:${option.key}`;
    const known = this.#lines.get(id);
    if (known && weight[known.result] >= weight[result]) return;
    this.#lines.set(id, { option: withoutValue(option), result, why, accept_as });
  }
}

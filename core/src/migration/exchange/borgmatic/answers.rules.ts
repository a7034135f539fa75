import type { NeededText } from '@holdfast/contracts';
import type { Place } from './tree.js';

export interface Need extends NeededText, Place {
  /** It does without: a variable with a default. */
  optional: boolean;
}

interface Answer extends NeededText {
  text: string | null;
}

const keyOf = ({ kind, name }: NeededText): string => `${kind}\0${name}`;

/** What the machine of a file says about it, and what it still has to be asked. */
export class Answers {
  readonly #known: Map<string, string | null>;
  readonly #needs = new Map<string, Need>();

  constructor(given: readonly Answer[]) {
    this.#known = new Map(given.map((each) => [keyOf(each), each.text]));
  }

  /** Undefined when it was not answered, or answered with nothing. */
  get(kind: NeededText['kind'], name: string): string | undefined {
    return this.#known.get(keyOf({ kind, name })) ?? undefined;
  }

  /** The answer; without one it is noted that it is needed. */
  ask(kind: NeededText['kind'], name: string, { file, line }: Place, optional = false): string | undefined {
    const need = { kind, name };
    const known = this.get(kind, name);
    if (known === undefined && !this.#needs.has(keyOf(need)))
      this.#needs.set(keyOf(need), { ...need, file, line, optional });
    return known;
  }

  get asked(): Need[] {
    return [...this.#needs.values()];
  }

  /** Those that nobody answered at all. */
  get open(): Need[] {
    return [...this.#needs.values()].filter((need) => !this.#known.has(keyOf(need)));
  }

  /** Those without which nothing can be imported. */
  get missing(): Need[] {
    return [...this.#needs.values()].filter(({ optional }) => !optional);
  }
}

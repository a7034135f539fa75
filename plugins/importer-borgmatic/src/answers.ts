import { Message } from '@holdfast/plugin-api';
import type { ImportCheck, ImportEnvironment, ImportNeed } from '@holdfast/plugin-api/importer';
import type { Place } from './tree.js';

const keyOf = ({ kind, name }: Pick<ImportNeed, 'kind' | 'name'>): string => `${kind}\0${name}`;

/** Known answers of the host and the service about a file, and the questions still open. */
export class Answers {
  readonly #known: Map<string, string | null>;
  readonly #needs = new Map<string, ImportNeed>();
  readonly #checks = new Map<string, ImportCheck>();

  constructor(private readonly given: Partial<Pick<ImportEnvironment, 'answers' | 'verdicts'>> = {}) {
    this.#known = new Map(given.answers?.map((each) => [keyOf(each), each.text]));
  }

  /** Undefined when it was not answered, or answered with nothing. */
  get(kind: ImportNeed['kind'], name: string): string | undefined {
    return this.#known.get(keyOf({ kind, name })) ?? undefined;
  }

  /** The answer; without one it is noted that it is needed. */
  ask(kind: ImportNeed['kind'], name: string, { file, line }: Place, optional = false): string | undefined {
    const need = { kind, name };
    const known = this.get(kind, name);
    if (known === undefined && !this.#needs.has(keyOf(need)))
      this.#needs.set(keyOf(need), { ...need, file, line, optional });
    return known;
  }

  /** The problem with a value, or null: none, or not known yet and recorded as a question. */
  judge(kind: ImportCheck['kind'], text: string): Message | null {
    const known = this.given.verdicts?.find((each) => each.kind === kind && each.text === text);
    if (!known) this.#checks.set(`${kind}\0${text}`, { kind, text });
    const { problem = null } = known ?? {};
    return problem && new Message(problem.code, problem.params, problem.text);
  }

  get needs(): ImportNeed[] {
    return [...this.#needs.values()];
  }

  get checks(): ImportCheck[] {
    return [...this.#checks.values()];
  }
}

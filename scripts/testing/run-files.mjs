import { createVitest, parseCLI } from 'vitest/node';
import { say } from '../prepare/say.mjs';
import { chosenOf } from './choice.mjs';
import { Verdict } from './verdict.mjs';

/** More failures than this are no accident, and running their files again would only take time. */
const mostRunAgain = 8;

/** The test files that some words and options choose, and what was seen when they ran. */
export class TestFiles {
  #vitest;
  #verdict;
  #hungAfterMs;

  /** @param {import('./choice.mjs').Choice} choice */
  static async choose(choice, { hungAfterMs }) {
    const files = new TestFiles();
    const { filter, options } = parseCLI(['vitest', 'run', ...choice.words], { allowUnknownOptions: true });
    files.#hungAfterMs = hungAfterMs;
    files.#verdict = new Verdict({ byName: options.testNamePattern !== undefined });
    const reporters = ['default', files.#verdict];
    files.#vitest = await createVitest('test', { ...options, watch: false, reporters });
    if (!choice.list) await files.#vitest.standalone();
    files.all = chosenOf(await files.#vitest.globTestSpecifications(filter), choice);
    return files;
  }

  get list() {
    return this.all.map(({ moduleId, project }) => this.#verdict.keyOf(project.name, moduleId)).sort();
  }

  get verdict() {
    return this.#verdict;
  }

  /** @param {import('vitest/node').TestSpecification[]} chosen */
  async run(chosen) {
    if (chosen.length === 0) return;
    const watch = setInterval(() => this.#endIfHung(), this.#hungAfterMs / 10);
    try {
      await this.#vitest.runTestSpecifications(chosen);
    } finally {
      clearInterval(watch);
    }
  }

  /**
   * Runs the files of `chosen` that failed once more, since a machine may be busy.
   * @returns {Promise<string[]>} the tests that passed then
   */
  async runFailedAgain(chosen) {
    const before = new Map(this.#verdict.failed.map((file) => [file.key, [...file.failures.keys()]]));
    const again = chosen.filter((spec) => before.has(this.#verdict.keyOf(spec.project.name, spec.moduleId)));
    if (again.length === 0 || again.length > mostRunAgain) return [];
    say(`Running ${again.length} failed files again.`);
    await this.run(again);
    const still = new Map(this.#verdict.failed.map((file) => [file.key, file.failures]));
    return [...before].flatMap(([key, titles]) =>
      titles
        .filter((title) => !still.get(key)?.has(title))
        .map((title) => `${key}: ${title || 'the whole file'}`),
    );
  }

  async close() {
    await this.#vitest.close();
  }

  #endIfHung() {
    if (performance.now() - this.#verdict.lastSign < this.#hungAfterMs) return;
    say(`No test ended for ${this.#hungAfterMs / 1000} s. Running:\n${this.#verdict.running.join('\n')}`);
    process.stdout.write(`${this.#verdict.passed} passed, ${this.#verdict.failures.length + 1} failed\n`);
    process.exit(1);
  }
}

import { relative } from 'node:path';
import { root } from '../prepare/root.mjs';

/** Enough for the expected value, the actual value and the location; a whole response would bury the other remarks. */
const longestMessage = 2_000;

/**
 * Collects what a run of vitest shows. A file that did not load, an error outside a test, a skipped test and a run
 * without tests are failures: nothing is skipped silently.
 */
export class Verdict {
  /** @type {Map<string, FileVerdict>} the newest run of each file */
  #files = new Map();
  #errors = [];
  #running = new Map();
  #byName;
  /** When a test began or ended last, by `performance.now()`. */
  lastSign = performance.now();

  /**
   * @param {{ byName?: boolean }} options `byName`: the tests were chosen by name, so others were skipped on purpose
   * @typedef {{ key: string, file: string, project: string, seconds: number, passed: number,
   *   failures: Map<string, string> }} FileVerdict failures: what to print, by the title of the test
   */
  constructor({ byName = false } = {}) {
    this.#byName = byName;
  }

  get files() {
    return [...this.#files.values()];
  }

  get failed() {
    return this.files.filter(({ failures }) => failures.size > 0);
  }

  get passed() {
    return this.files.reduce((total, { passed }) => total + passed, 0);
  }

  /** What to print of each failure. */
  get failures() {
    const failures = [...this.failed.flatMap((file) => [...file.failures.values()]), ...this.#errors];
    return failures.length + this.passed === 0 ? ['No test ran.'] : failures;
  }

  /** The files that run now, with the last test that each has begun: for the sentence about a hang. */
  get running() {
    return [...this.#running].map(([file, test]) => (test === '' ? file : `${file}: ${test}`));
  }

  onTestModuleStart(module) {
    this.lastSign = performance.now();
    this.#running.set(pathOf(module), '');
  }

  keyOf(project, path) {
    return `${relative(root, path)} (${project})`;
  }

  onTestCaseReady(test) {
    this.lastSign = performance.now();
    this.#running.set(pathOf(test.module), test.fullName);
  }

  onTestCaseResult() {
    this.lastSign = performance.now();
  }

  onTestModuleEnd(module) {
    this.lastSign = performance.now();
    const project = module.project.name;
    const file = pathOf(module);
    this.#running.delete(file);
    const failures = new Map();
    let passed = 0;
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'failed')
        failures.set(test.fullName, `Failed: ${test.fullName}\n${file}\n${textOf(errors)}`);
      else if (!this.#byName)
        failures.set(test.fullName, `Did not run (${state}): ${test.fullName}\n${file}`);
    }
    const outside = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
    if (outside.length > 0) failures.set('', `Failed as a whole: ${file}\n${textOf(outside)}`);
    const key = this.keyOf(project, module.moduleId);
    this.#files.set(key, { key, file, project, seconds: secondsOf(module), passed, failures });
  }

  onTestRunEnd(_modules, errors) {
    this.#errors.push(...errors.map((error) => `An error outside a test:\n${textOf([error])}`));
  }
}

const pathOf = ({ moduleId }) => relative(root, moduleId);

/** With what came before its tests. */
function secondsOf(module) {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}

function textOf(errors) {
  const texts = errors.map(({ message, diff, stacks = [] }) => {
    const places = stacks.map(({ file, line }) => `  at ${relative(root, file)}:${line}`);
    return [message, diff, ...places].filter(Boolean).join('\n');
  });
  return texts.join('\n').slice(0, longestMessage);
}

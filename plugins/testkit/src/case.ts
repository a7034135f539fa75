/** What a runner passes to a test; Node's and Vitest's can skip it. */
export interface CaseContext {
  skip?(reason: string): unknown;
}

/** One requirement of a port, runnable by any test runner. */
export interface ConformanceCase {
  name: string;
  /**
   * Resolves, or rejects with an AssertionError. A case about something that the plugin does not offer is skipped:
   * with `skip` of the context, otherwise by rejecting with a LeftOut.
   */
  run(context?: CaseContext): Promise<void>;
}

/** A case can't run because the plugin does not offer what it is about. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

/** Wraps a case that may throw LeftOut. */
export const conformanceCase = (name: string, work: () => Promise<void>): ConformanceCase => ({
  name,
  // Some runners treat a parameter of the function as a callback, so there is none.
  run: async (...[context]: [CaseContext?]) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LeftOut) || typeof context?.skip !== 'function') throw error;
      context.skip(error.message);
    }
  },
});

/** Throws LeftOut if it is absent. */
export function offered<T>(method: T | undefined, name: string): T {
  if (method !== undefined) return method;
  throw new LeftOut(`The plugin has no "${name}".`);
}

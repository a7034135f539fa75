/** What a runner hands to a test; that of Node and Vitest can leave it out. */
export interface CaseContext {
  skip?(reason: string): unknown;
}

/** One promise of a port, runnable by any test runner. */
export interface ConformanceCase {
  name: string;
  /**
   * Resolves, or rejects with an AssertionError. A promise about what the plugin does not offer is left out: by `skip`
   * of the context, else it rejects with a LeftOut.
   */
  run(context?: CaseContext): Promise<void>;
}

/** A promise can't be tried: the plugin does not offer what it is about. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

/** A case that may throw LeftOut. */
export const conformanceCase = (name: string, work: () => Promise<void>): ConformanceCase => ({
  name,
  // Runners that take a function with a parameter for one with a callback see none.
  run: async (...[context]: [CaseContext?]) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LeftOut) || typeof context?.skip !== 'function') throw error;
      context.skip(error.message);
    }
  },
});

/** Throws LeftOut where it is absent. */
export function offered<T>(method: T | undefined, name: string): T {
  if (method !== undefined) return method;
  throw new LeftOut(`There is no "${name}".`);
}

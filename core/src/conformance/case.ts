/** One promise of a port, runnable by any test runner: it resolves, or rejects with an AssertionError. */
export interface ConformanceCase {
  name: string;
  run(): Promise<void>;
}

import type { Log } from '@holdfast/plugin-api';
import { withinTime } from '../../foundation/kernel/index.js';

/** The guarded plugin, for messages. */
export interface Guarded {
  /** Name of the package. */
  name: string;
  log: Log;
}

/** Milliseconds. A storage operation that timed out may still have been done. */
export const limits = { call: 60_000, transaction: 120_000, timer: 10_000 };
export type Limits = typeof limits;

interface Call<T> {
  name: string;
  what: string;
  ms: number;
  work(): T | Promise<T>;
  asError(error: unknown): Error;
}

/** One call of a plugin: within its time limit, and with the error of its kind. */
export const call = <T>({ name, what, ms, work, asError }: Call<T>): Promise<T> =>
  withinTime(ms, work, () => new Error(`${name} did not answer ${what} within ${ms / 1000} s`)).catch(
    (error: unknown) => {
      throw asError(error);
    },
  );

/** The port with some of its methods replaced. */
export const withMethods = <Port extends object>(port: Port, methods: Record<PropertyKey, unknown>): Port =>
  new Proxy(port, {
    get(inner, name) {
      if (Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(inner, name, inner);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });

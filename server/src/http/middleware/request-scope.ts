import { AsyncLocalStorage } from 'node:async_hooks';
import type { StorageScope } from '@holdfast/core/server';

const scopes = new AsyncLocalStorage<{ scope: StorageScope | undefined }>();

/** The storage scope of the current request. */
export const currentScope = (): StorageScope | undefined => scopes.getStore()?.scope;

/** Runs the work of a request in a scope, which later work does not have. */
export function underScope<T>(scope: StorageScope, work: () => Promise<T>): Promise<T> {
  const holder: { scope: StorageScope | undefined } = { scope };
  return scopes.run(holder, async () => {
    try {
      return await work();
    } finally {
      holder.scope = undefined;
    }
  });
}

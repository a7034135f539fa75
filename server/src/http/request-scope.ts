import { AsyncLocalStorage } from 'node:async_hooks';
import type { StorageScope } from '@holdfast/core/server';

const scopes = new AsyncLocalStorage<{ scope: StorageScope | undefined }>();

/** The scope of the request that this runs for. */
export const currentScope = (): StorageScope | undefined => scopes.getStore()?.scope;

/** Runs the work of a request under a scope; what goes on after its answer has none. */
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

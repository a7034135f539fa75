import { type StorageBackend, StoreError } from '@holdfast/plugin-api';

type Condition = 'well' | 'down' | 'frozen' | 'locked';

export interface FaultyStorage extends StorageBackend {
  /** `down`: every call is refused. `frozen`: calls wait until it is well, as if the process stood still. `locked`: reads go on. */
  become(condition: Condition): void;
  /** How many calls of each method reached the storage. */
  calls: Record<string, number>;
}

const methods = ['find', 'insert', 'update', 'remove', 'aggregate', 'transaction'] as const;

/** One instance's view of a storage that others may reach meanwhile. */
export function faultyStorage(inner: StorageBackend): FaultyStorage {
  let condition: Condition = 'well';
  let thawed = Promise.resolve();
  let thaw = () => {};
  const calls: Record<string, number> = {};

  const guard = async (method: string) => {
    while (condition === 'frozen') await thawed;
    const isRead = method === 'find' || method === 'aggregate';
    if (condition === 'down' || (condition === 'locked' && !isRead))
      throw new StoreError('unavailable', 'The storage is away.');
    calls[method] = (calls[method] ?? 0) + 1;
  };
  const guarded = methods.map((method) => [
    method,
    async (...given: unknown[]) => {
      await guard(method);
      return (inner[method] as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return {
    // The methods keep their types: each hands on what it is given.
    ...(Object.fromEntries(guarded) as StorageBackend),
    calls,
    become(next) {
      thaw();
      condition = next;
      if (next !== 'frozen') return;
      thawed = new Promise((resolve) => {
        thaw = resolve;
      });
    },
  };
}

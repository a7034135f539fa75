import type { VersionedObject } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { type EntityTag, refuseUnlessMatching, tagOf } from './entity-tag.rules.js';
import type { StorageBackend, StorageSession } from '../ports/storage.js';
import { preconditionScope } from './precondition-scope.js';
import type { StorageScope } from '../kernel/storage-scope.js';
import type { Dependencies } from '../dependencies.js';
import { type PathIds, versionedObjects } from './versioned-objects.js';

export interface Change {
  kind: VersionedObject;
  caller: Caller;
  ids: PathIds;
  /** The header `If-Match` as it came. */
  ifMatch: string | undefined;
  /** Gets the tag of the object as the change leaves it, before the change is there for others. */
  onChanged?(tag: EntityTag): void;
}

export const versionsUseCases = (dependencies: Dependencies) => ({
  /** Of an answer to GET. */
  tagOf: (kind: VersionedObject, shown: object): EntityTag => tagOf(shown, versionedObjects[kind].changing),

  /**
   * With a condition it refuses at once when that does not hold now; the scope refuses the write that would change the
   * object when it does not hold in its transaction. AppError `precondition_failed`, `invalid`, `not_found`.
   */
  async whileChanging({ kind, caller, ids, ifMatch, onChanged }: Change): Promise<StorageScope> {
    const { entity, changing, read } = versionedObjects[kind];
    const tagIn = async (session: StorageSession) => {
      // Reads of a view use nothing beyond a session.
      const storage = session as StorageBackend;
      return tagOf(await read({ ...dependencies, storage }, caller, ids), changing);
    };
    const check =
      ifMatch === undefined
        ? undefined
        : async (session: StorageSession) => refuseUnlessMatching(ifMatch, await tagIn(session));
    await check?.(dependencies.storage);
    const see = onChanged && (async (session: StorageSession) => onChanged(await tagIn(session)));
    return preconditionScope({ entity, check, ...(see && { see }) });
  },
});

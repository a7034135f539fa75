import type { VersionedObject } from '@holdfast/contracts';
import type { Caller } from '../../domain/caller.js';
import { type EntityTag, refuseUnlessMatching, tagOf } from '../../domain/entity-tag.js';
import type { StorageBackend, StorageSession } from '../../ports/storage.js';
import { preconditionScope } from '../../runtime/precondition-scope.js';
import type { StorageScope } from '../../runtime/storage-scope.js';
import type { Dependencies } from '../dependencies.js';
import { type PathIds, versionedObjects } from './versioned-objects.js';

export interface Condition {
  kind: VersionedObject;
  caller: Caller;
  ids: PathIds;
  /** The header `If-Match` as it came. */
  ifMatch: string;
}

export const versionsUseCases = (dependencies: Dependencies) => ({
  /** Of an answer to GET. */
  tagOf: (kind: VersionedObject, shown: object): EntityTag => tagOf(shown, versionedObjects[kind].changing),

  /**
   * Refuses at once when the condition does not hold now; the scope refuses the write that would change the object when
   * it does not hold in its transaction. AppError `precondition_failed`, `invalid`, `not_found`.
   */
  async whileMatching({ kind, caller, ids, ifMatch }: Condition): Promise<StorageScope> {
    const { entity, changing, read } = versionedObjects[kind];
    const check = async (session: StorageSession) => {
      // Reads of a view use nothing beyond a session.
      const storage = session as StorageBackend;
      refuseUnlessMatching(ifMatch, tagOf(await read({ ...dependencies, storage }, caller, ids), changing));
    };
    await check(dependencies.storage);
    return preconditionScope(entity, check);
  },
});

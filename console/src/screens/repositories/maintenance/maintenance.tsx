import { useIsAdmin } from '../../../hub/is-admin.js';
import type { ScreenProps } from '../../../shell/router.js';
import { Jobs } from '../jobs.js';
import { RepositoryPage } from '../repository-page.js';
import { Checks } from './checks.js';
import { Compact } from './compact.js';
import { LocksAndRepair } from './locks-and-repair.js';
import { Prune } from './prune.js';
import { Trouble } from './trouble.js';

/** Problems first, then checks, pruning, space, and rare actions. */
export default function Maintenance({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const isAdmin = useIsAdmin();
  return (
    <RepositoryPage id={id} part="maintenance">
      {(repository) => (
        <>
          <Trouble repository={repository} isAdmin={isAdmin} />
          <Jobs id={id} present />
          <Checks repository={repository} isAdmin={isAdmin} />
          {isAdmin && <Prune repository={repository} />}
          <Compact repository={repository} isAdmin={isAdmin} />
          {isAdmin && <LocksAndRepair repository={repository} />}
        </>
      )}
    </RepositoryPage>
  );
}

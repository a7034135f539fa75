import { recallInJobs } from '../../engine/jobs/index.js';
import type { EventRow } from '../../foundation/events/index.js';
import { inTransaction, type Message, say } from '../../foundation/kernel/index.js';
import { insertRepository, type Registration } from './create-repository.js';
import { findFormer } from './former-links.js';
import { type Listing, rewriteInventory } from './inventory/rewrite-inventory.js';
import type { RepositoriesNeeds } from './needs.js';
import { refuseSecondWriter } from './only-writer.js';
import { reportTaken } from './repositories.js';
import type { RepositoryMaking } from './repository-making.js';
import { repositories } from './tables.js';
import { type Recalled, type RecallRepository, takeUp } from './take-up.js';

export interface Entered {
  id: number;
  /** It took up the row of a registration that was removed. */
  isFormer: boolean;
  remarks: Message[];
  /** To be announced after the commit. */
  recorded: EventRow[];
}

interface Entering {
  listing: Listing | null;
  elsewhere: readonly RecallRepository[];
  /** Ends the note of the making. */
  finish?: RepositoryMaking['finish'];
}

const onlyForAdministrators = say`repository_admin_only: It contains copies of Holdfast with its secret key, so only administrators can see it.`;

/** Stores the registration of a repository that exists. Throws AppError `conflict` for a taken name, path or id. */
export function enter(
  needs: RepositoriesNeeds,
  registration: Registration,
  { listing, elsewhere, finish }: Entering,
): Promise<Entered> {
  const { toolId, name, path, settings, now } = registration;
  const work = () =>
    inTransaction(needs.storage, async (session) => {
      await finish?.(session);
      await refuseSecondWriter(session, { toolId, mode: settings.mode });
      const former = await findFormer(session, toolId);
      const row = former
        ? await takeUp(session, former, registration)
        : await insertRepository(session, registration);
      const created = await needs.events.record(session, {
        kind: 'repository_created' as const,
        repositoryId: row.id,
        jobId: null,
        data: { name, path, imported: true },
      });
      const links = former?.former ?? null;
      const recalled: Recalled[] = [];
      if (links) {
        await recallInJobs(session, row.id, links.figures);
        const back = { repository: row, links, events: needs.events, at: now };
        for (const recall of elsewhere) recalled.push(await recall(session, back));
      }
      const changed = listing ? await rewriteInventory(needs, row, listing, session) : [];
      const events = recalled.flatMap((each) => each.events);
      const remarks = recalled.flatMap((each) => each.remarks);
      const [entered] = await session.find(repositories, { where: { id: row.id }, limit: 1 });
      if (entered?.admin_only) remarks.push(onlyForAdministrators);
      return { id: row.id, isFormer: former !== null, remarks, recorded: [created, ...events, ...changed] };
    });
  return reportTaken(work);
}

import type { AuditFilter, AuditPage } from '@holdfast/contracts';
import { auditEntries } from '../schema/tables.js';
import { auditView } from './audit-view.js';
import type { Dependencies } from '../dependencies.js';

/** Newest first. `next_before` is null at the end. */
export const listEntries =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async ({ limit, before, user, action, kind, outcome, since, until }: AuditFilter): Promise<AuditPage> => {
    const rows = await storage.find(auditEntries, {
      where: {
        ...(before === undefined ? {} : { seq: { lt: before } }),
        ...(user === undefined ? {} : { username: user }),
        ...(action === undefined ? {} : { action }),
        ...(kind === undefined ? {} : { kind }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(since === undefined && until === undefined ? {} : { at: { ...from(since), ...to(until) } }),
      },
      order: [['seq', 'desc']],
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const next_before = rows.length > limit ? (shown.at(-1)?.seq ?? null) : null;
    return { success: true, entries: shown.map(auditView), next_before };
  };

const from = (time: string | undefined) => (time === undefined ? {} : { gte: Date.parse(time) });
const to = (time: string | undefined) => (time === undefined ? {} : { lt: Date.parse(time) });

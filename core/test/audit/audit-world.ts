import { type AuditFacts, systemFacts } from '../../src/foundation/audit/audit-entry.rules.js';
import { appendEntries } from '../../src/foundation/audit/audit-trail.js';
import { auditEntries } from '../../src/foundation/audit/tables.js';
import { verifyTrail } from '../../src/foundation/audit/verify-trail.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { silentLog } from '../fakes/silent-log.js';

/** A box that tells when an envelope was changed. */
export const secrets = {
  seal: (purpose: string, plain: string) => `${purpose}|${Buffer.from(plain).toString('base64')}`,
  open: (purpose: string, envelope: string) => {
    if (!envelope.startsWith(`${purpose}|`)) throw new Error('it was changed');
    return Buffer.from(envelope.slice(purpose.length + 1), 'base64').toString();
  },
};

export const fact = (action: string, more: Partial<AuditFacts> = {}): AuditFacts => ({
  ...systemFacts(1_000, action, ''),
  kind: 'change',
  status: 200,
  user_id: 1,
  username: 'admin',
  note: null,
  ...more,
});

export function auditWorld() {
  const storage = memoryStorage();
  const clock = manualClock();
  const log = silentLog();
  const store = { storage, clock, secrets };
  const append = (...actions: string[]) =>
    appendEntries(
      store,
      actions.map((action) => fact(action, { at: clock.now() })),
    );
  const rows = () => storage.find(auditEntries, { order: [['seq', 'asc']] });
  const verify = (more: object = {}) => verifyTrail({ ...store, ...more });
  return { storage, clock, log, store, append, rows, verify };
}

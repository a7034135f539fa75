import type { AuditFacts } from './audit-entry.rules.js';
import { users } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

/**
 * Notes a request. `claimed` is the name that somebody gave at a login: it is noted when there is such a user only, as
 * people sometimes type a password there. Resolves when the entry is stored; never rejects.
 */
export const noteRequest =
  ({ storage, auditTrail, log }: Pick<Dependencies, 'storage' | 'auditTrail' | 'log'>) =>
  async (facts: AuditFacts, claimed?: string): Promise<void> => {
    if (claimed === undefined || facts.username !== null) return auditTrail.append(facts);
    let known: { user_id: number; username: string } | undefined;
    try {
      const [user] = await storage.find(users, { where: { username: claimed }, limit: 1 });
      known = user && { user_id: user.id, username: user.username };
    } catch (error) {
      log.warn('it could not be found out who logs in', { error });
    }
    return auditTrail.append({ ...facts, ...known });
  };

import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { repositoryScripts, scripts } from '../../backup/hooks/index.js';
import { repositories } from '../../backup/repositories/index.js';
import { schedules } from '../../backup/schedules/index.js';
import { sshConnections, sshKeys } from '../../backup/ssh/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { tokens, users } from '../../foundation/accounts/index.js';
import type { StorageScope } from '../../foundation/kernel/index.js';
import {
  callLease,
  conflict,
  heldRow,
  keepLease,
  type Paced,
  say,
  takeLease,
} from '../../foundation/kernel/index.js';
import { notificationSettings } from '../../insight/notifications/index.js';
import type { RequestsNeeds } from './needs.js';
import { type IdempotencyKeyRow, idempotencyKeys, type Made } from './tables.js';

/** How long a stored answer is repeated. */
export const rememberedMs = 24 * 3_600_000;

export const idempotencyUseCases = (dependencies: Needs) => new IdempotentCalls(dependencies);

/** The answer to a call, which may be an error. */
export interface RememberedAnswer {
  status: number;
  body: unknown;
}

type Needs = Pick<RequestsNeeds, 'storage' | 'clock' | 'secrets' | 'log'> & Paced;
type FoundCall =
  | Exclude<Found, { kind: 'answered' }>
  | {
      kind: 'answered';
      answer: RememberedAnswer;
    };

const resources = [repositories, schedules, scripts, repositoryScripts, notificationSettings, users, tokens];
const creatable = new Set(
  [jobs, sshKeys, sshConnections, ...resources].map(({ name }: { name: string }) => name),
);

/** Runs a call once, however often it is sent. A retry may reach any instance. */
export class IdempotentCalls {
  constructor(private readonly needs: Needs) {}

  /** Throws AppError `conflict` while the first call runs, or when the key belongs to a different request. */
  async find(call: Call): Promise<FoundCall> {
    const found = await findCall(this.needs, call);
    return found.kind === 'answered' ? { kind: 'answered', answer: this.#answerOf(found.row) } : found;
  }

  /**
   * A storage scope that records the rows which the call creates. Their transaction fails once the ticket is
   * lost.
   */
  scopeOf(ticket: Ticket): StorageScope {
    return makingScope(creatable, async (session, made) => {
      const ours = { ...heldRow(ticket), status: 'running' as const };
      if ((await session.update(idempotencyKeys, ours, { status: 'made', made })) > 0) return;
      throw conflict(
        say`idempotency_key_taken_over: A retry with the same Idempotency-Key is handling this request.`,
        { retryAfterSeconds: 1 },
      );
    });
  }

  /** Renews the ticket while the work runs. Returns a function that stops this. */
  keep(ticket: Ticket): () => void {
    const onError = (error: unknown) =>
      this.needs.log.warn('could not renew the lease of a call with an Idempotency-Key', { error });
    const times = callLease(this.needs.pace);
    const lease = keepLease(idempotencyKeys, ticket, { ...this.needs, ...times, onError });
    return () => void lease.stop();
  }

  /** Stores the answer of a finished call, to be repeated to retries. */
  async remember(ticket: Ticket, given: RememberedAnswer): Promise<void> {
    const { storage, secrets } = this.needs;
    const answer = secrets.seal(purposeOf(ticket.key), JSON.stringify(given));
    await storage.update(idempotencyKeys, heldRow(ticket), { status: 'answered', answer });
  }

  /** For a call with a temporary failure: a retry may continue at once from what exists. */
  async release(ticket: Ticket): Promise<void> {
    const { storage } = this.needs;
    const unmade = { ...heldRow(ticket), status: 'running' as const };
    if ((await storage.remove(idempotencyKeys, unmade)) > 0) return;
    await storage.update(idempotencyKeys, heldRow(ticket), { lease_until: 0 });
  }

  /** For a call whose results were discarded: it runs again from the start. */
  async restart(ticket: Ticket): Promise<void> {
    await this.needs.storage.update(idempotencyKeys, heldRow(ticket), { status: 'running', made: null });
  }

  #answerOf({ key, answer }: IdempotencyKeyRow): RememberedAnswer {
    try {
      return JSON.parse(this.needs.secrets.open(purposeOf(key), answer ?? '')) as RememberedAnswer;
    } catch (cause) {
      throw conflict(
        say`idempotency_answer_unreadable: The call with this Idempotency-Key was completed, but its response can no longer be read: check what it created.`,
        { cause },
      );
    }
  }
}

const purposeOf = (key: string) => `idempotency:${key}`;

export interface Call {
  userId: number;
  /** Method and path of the contract. */
  route: string;
  key: string;
  /** Equal only for equal requests. */
  fingerprint: string;
}

export interface Ticket {
  id: number;
  fence: number;
  key: string;
}

export type Found =
  /** Not done yet, or interrupted before it created anything. */
  | { kind: 'run'; ticket: Ticket }
  /** Interrupted after it created `made` and before it answered. */
  | { kind: 'made'; ticket: Ticket; made: Made[] }
  | { kind: 'answered'; row: IdempotencyKeyRow };

type FindCallNeeds = Pick<RequestsNeeds, 'storage' | 'clock'> & Paced;
const maxTries = 20;

/** Throws AppError `conflict` when the key belongs to a different request, or while the first call runs. */
export async function findCall(needs: FindCallNeeds, call: Call): Promise<Found> {
  for (let tries = 0; tries < maxTries; tries++) {
    const found = (await begin(needs, call)) ?? (await resume(needs, call));
    if (found) return found;
  }
  throw conflict(
    say`idempotency_key_busy: Other requests use this Idempotency-Key at the same time: try again.`,
    { retryAfterSeconds: 1 },
  );
}

/** Null when the key already exists. */
async function begin({ storage, clock, pace }: FindCallNeeds, call: Call): Promise<Found | null> {
  const { userId: user_id, route, key, fingerprint } = call;
  const where = { user_id, route, key };
  if ((await storage.find(idempotencyKeys, { where, limit: 1 })).length > 0) return null;
  const now = clock.now();
  try {
    const { id, fence } = await storage.insert(idempotencyKeys, {
      ...where,
      fingerprint,
      status: 'running',
      lease_until: now + callLease(pace).leaseMs,
      expires_at: now + rememberedMs,
    });
    return { kind: 'run', ticket: { id, fence, key } };
  } catch (error) {
    if (isStoreError(error, 'unique')) return null;
    throw error;
  }
}

/** Null when the row changed concurrently; the caller then tries again. */
async function resume({ storage, clock, pace }: FindCallNeeds, call: Call): Promise<Found | null> {
  const { userId: user_id, route, key } = call;
  const [row] = await storage.find(idempotencyKeys, { where: { user_id, route, key }, limit: 1 });
  if (!row) return null;
  const { id, fence, status } = row;
  const now = clock.now();
  if (row.expires_at <= now) {
    await storage.remove(idempotencyKeys, { id, fence, expires_at: row.expires_at });
    return null;
  }
  if (row.fingerprint !== call.fingerprint) throw otherRequest();
  if (status === 'answered') return { kind: 'answered', row };
  if (row.lease_until > now) throw stillRuns(row.lease_until - now);
  const taken = await takeLease(storage, idempotencyKeys, row, {
    where: { status, lease_until: row.lease_until },
    patch: { lease_until: now + callLease(pace).leaseMs },
  });
  if (!taken) return null;
  const ticket = { id, fence: taken.fence, key };
  return row.made ? { kind: 'made', ticket, made: row.made } : { kind: 'run', ticket };
}

const otherRequest = () =>
  conflict(
    say`idempotency_key_reused: This Idempotency-Key was used for a request with a different URL or body: use a new key.`,
  );

const stillRuns = (ms: number) =>
  conflict(
    say`idempotency_call_running: The first call with this Idempotency-Key is still running: retry shortly.`,
    { retryAfterSeconds: Math.max(1, Math.min(5, Math.ceil(ms / 1000))) },
  );

/**
 * Watches for the first transaction that inserts rows of `entities`, or takes removed ones up again, and calls `note` with them in that same
 * transaction. An error from `note` rolls it back.
 */
function makingScope(
  entities: ReadonlySet<string>,
  note: (session: StorageSession, made: Made[]) => Promise<void>,
): StorageScope {
  let noted = false;
  return {
    active: () => !noted,
    open(session) {
      const made: Made[] = [];
      return {
        session: {
          find: (entity, query) => session.find(entity, query),
          aggregate: (entity, query) => session.aggregate(entity, query),
          async insert(entity, row) {
            const inserted = await session.insert(entity, row);
            const { id } = inserted as { id?: unknown };
            if (entities.has(entity.name) && typeof id === 'number') made.push({ entity: entity.name, id });
            return inserted;
          },
          async update(entity, where, patch) {
            const count = await session.update(entity, where, patch);
            const { id } = where as { id?: unknown };
            const isTakenUp =
              (patch as { removed_at?: unknown }).removed_at === null && typeof id === 'number';
            if (count > 0 && entities.has(entity.name) && isTakenUp) made.push({ entity: entity.name, id });
            return count;
          },
          remove: (entity, where) => session.remove(entity, where),
        },
        async complete() {
          if (made.length > 0) await note(session, made);
        },
        committed() {
          if (made.length > 0) noted = true;
        },
      };
    },
  };
}

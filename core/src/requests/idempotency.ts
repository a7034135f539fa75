import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { tokens, users } from '../accounts/tables.js';
import { repositoryScripts, scripts } from '../hooks/tables.js';
import { jobs } from '../jobs/tables.js';
import type { StorageScope } from '../kernel/index.js';
import { conflict, leaseMs, rememberedMs, renewMs } from '../kernel/index.js';
import { notificationSettings } from '../notifications/tables.js';
import { repositories } from '../repositories/tables.js';
import { schedules } from '../schedules/tables.js';
import { sshConnections, sshKeys } from '../ssh/tables.js';
import type { RequestsNeeds } from './needs.js';
import { type IdempotencyKeyRow, idempotencyKeys, type Made } from './tables.js';

export const idempotencyUseCases = (
  dependencies: Pick<RequestsNeeds, 'storage' | 'clock' | 'secrets' | 'log'>,
) => new IdempotentCalls(dependencies);

/** What a call answered; of a failure, what it said. */
export interface RememberedAnswer {
  status: number;
  body: unknown;
}

type Needs = Pick<RequestsNeeds, 'storage' | 'clock' | 'secrets' | 'log'>;
type FoundCall =
  | Exclude<Found, { kind: 'answered' }>
  | {
      kind: 'answered';
      answer: RememberedAnswer;
    };

const resources = [repositories, schedules, scripts, repositoryScripts, notificationSettings, users, tokens];
const makable = new Set(
  [jobs, sshKeys, sshConnections, ...resources].map(({ name }: { name: string }) => name),
);

/** Calls that are done once, however often they come. Any instance may get the retry. */
export class IdempotentCalls {
  constructor(private readonly needs: Needs) {}

  /** AppError `conflict` while the first call runs, or when the key is of another request. */
  async find(call: Call): Promise<FoundCall> {
    const found = await findCall(this.needs, call);
    return found.kind === 'answered' ? { kind: 'answered', answer: this.#answerOf(found.row) } : found;
  }

  /** What the call makes is made only while the ticket holds, and noted with it. */
  scopeOf(ticket: Ticket): StorageScope {
    return makingScope(makable, async (session, made) => {
      const ours = { ...held(ticket), status: 'running' as const };
      if ((await session.update(idempotencyKeys, ours, { status: 'made', made })) > 0) return;
      throw conflict('A retry with the same Idempotency-Key does this now.', { retryAfterSeconds: 1 });
    });
  }

  /** Keeps the ticket for as long as the work takes. Returns the way to stop. */
  keep(ticket: Ticket): () => void {
    const { storage, clock, log } = this.needs;
    const renew = () =>
      storage
        .update(idempotencyKeys, held(ticket), { lease_until: clock.now() + leaseMs })
        .catch((error: unknown) =>
          log.warn('a call with an Idempotency-Key could not be renewed', { error }),
        );
    const timer = setInterval(renew, renewMs);
    return () => clearInterval(timer);
  }

  /** The call is done: this is answered from now on. */
  async remember(ticket: Ticket, given: RememberedAnswer): Promise<void> {
    const { storage, secrets } = this.needs;
    const answer = secrets.seal(purposeOf(ticket.key), JSON.stringify(given));
    await storage.update(idempotencyKeys, held(ticket), { status: 'answered', answer });
  }

  /** The call failed in a way that may pass: a retry goes on at once from what is there. */
  async release(ticket: Ticket): Promise<void> {
    const { storage } = this.needs;
    const unmade = { ...held(ticket), status: 'running' as const };
    if ((await storage.remove(idempotencyKeys, unmade)) > 0) return;
    await storage.update(idempotencyKeys, held(ticket), { lease_until: 0 });
  }

  /** What the call made was of no use and is gone: it is done anew. */
  async restart(ticket: Ticket): Promise<void> {
    await this.needs.storage.update(idempotencyKeys, held(ticket), { status: 'running', made: null });
  }

  #answerOf({ key, answer }: IdempotencyKeyRow): RememberedAnswer {
    try {
      return JSON.parse(this.needs.secrets.open(purposeOf(key), answer ?? '')) as RememberedAnswer;
    } catch (cause) {
      throw conflict(
        'The call with this Idempotency-Key was done, but its answer can not be read any more: look what it made.',
        { cause },
      );
    }
  }
}

const held = ({ id, fence }: Ticket) => ({ id, fence });
const purposeOf = (key: string) => `idempotency:${key}`;

export interface Call {
  userId: number;
  /** Method and path of the contract. */
  route: string;
  key: string;
  /** Same for the same request only. */
  fingerprint: string;
}

export interface Ticket {
  id: number;
  fence: number;
  key: string;
}

export type Found =
  /** Nobody did it yet, or who did it stopped before it made anything. */
  | { kind: 'run'; ticket: Ticket }
  /** Who did it stopped between making this and answering. */
  | { kind: 'made'; ticket: Ticket; made: Made[] }
  | { kind: 'answered'; row: IdempotencyKeyRow };

type FindCallNeeds = Pick<RequestsNeeds, 'storage' | 'clock'>;
const mostTries = 20;

/** AppError `conflict`: another request has the key, or the first call with it still runs. */
export async function findCall(needs: FindCallNeeds, call: Call): Promise<Found> {
  for (let tries = 0; tries < mostTries; tries++) {
    const found = (await begin(needs, call)) ?? (await resume(needs, call));
    if (found) return found;
  }
  throw conflict('Others use this Idempotency-Key at the same moment: try again.', { retryAfterSeconds: 1 });
}

/** Null when the key is there. */
async function begin({ storage, clock }: FindCallNeeds, call: Call): Promise<Found | null> {
  const { userId: user_id, route, key, fingerprint } = call;
  const where = { user_id, route, key };
  if ((await storage.find(idempotencyKeys, { where, limit: 1 })).length > 0) return null;
  const now = clock.now();
  try {
    const { id, fence } = await storage.insert(idempotencyKeys, {
      ...{ ...where, fingerprint, status: 'running', lease_until: now + leaseMs },
      expires_at: now + rememberedMs,
    });
    return { kind: 'run', ticket: { id, fence, key } };
  } catch (error) {
    if (isStoreError(error, 'unique')) return null;
    throw error;
  }
}

/** Null when the row changed meanwhile: look again. */
async function resume({ storage, clock }: FindCallNeeds, call: Call): Promise<Found | null> {
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
  const held = { id, fence, status, lease_until: row.lease_until };
  const taken = await storage.update(idempotencyKeys, held, { fence: fence + 1, lease_until: now + leaseMs });
  if (taken === 0) return null;
  const ticket = { id, fence: fence + 1, key };
  return row.made ? { kind: 'made', ticket, made: row.made } : { kind: 'run', ticket };
}

const otherRequest = () =>
  conflict(
    'This Idempotency-Key was used for another request, with another address or body: take a new key for this one.',
  );

const stillRuns = (ms: number) =>
  conflict('The first call with this Idempotency-Key still runs: send it again a little later.', {
    retryAfterSeconds: Math.max(1, Math.min(5, Math.ceil(ms / 1000))),
  });

/**
 * Watches for the first transaction that inserts rows of `entities`, and has `note` write them down in that very
 * transaction; what `note` throws undoes it.
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
          update: (entity, where, patch) => session.update(entity, where, patch),
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

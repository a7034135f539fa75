import { conflict, isStoreError } from '../kernel/errors.js';
import { type IdempotencyKeyRow, idempotencyKeys, type Made } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { leaseMs, rememberedMs } from '../kernel/lease-times.js';

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

type Needs = Pick<Dependencies, 'storage' | 'clock'>;
const mostTries = 20;

/** AppError `conflict`: another request has the key, or the first call with it still runs. */
export async function findCall(needs: Needs, call: Call): Promise<Found> {
  for (let tries = 0; tries < mostTries; tries++) {
    const found = (await begin(needs, call)) ?? (await resume(needs, call));
    if (found) return found;
  }
  throw conflict('Others use this Idempotency-Key at the same moment: try again.', { retryAfterSeconds: 1 });
}

/** Null when the key is there. */
async function begin({ storage, clock }: Needs, call: Call): Promise<Found | null> {
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
async function resume({ storage, clock }: Needs, call: Call): Promise<Found | null> {
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

import { conflict } from '../kernel/errors.js';
import { makingScope } from './making-scope.js';
import type { StorageScope } from '../kernel/storage-scope.js';
import {
  type IdempotencyKeyRow,
  idempotencyKeys,
  jobs,
  notificationSettings,
  repositories,
  repositoryScripts,
  schedules,
  scripts,
  sshConnections,
  sshKeys,
  tokens,
  users,
} from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type Call, type Found, findCall, type Ticket } from './find-call.js';
import { leaseMs, renewMs } from '../kernel/lease-times.js';

/** What a call answered; of a failure, what it said. */
export interface RememberedAnswer {
  status: number;
  body: unknown;
}

type Needs = Pick<Dependencies, 'storage' | 'clock' | 'secrets' | 'log'>;
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

import type { StorageSession } from '@holdfast/plugin-api';
import { AppError, say } from '../kernel/index.js';
import { hashOfAccessToken, makeAccessToken } from './accounts.rules.js';
import type { AccountsNeeds } from './needs.js';
import { type ChallengeKind, challenges } from './tables.js';

type Needs = Pick<AccountsNeeds, 'storage' | 'clock' | 'secrets'>;

/** How long a challenge can be answered. */
export const challengeLifeMs = 10 * 60_000;
const wrongAnswers = 5;

/** The answer to a challenge needs this, which is not stored. */
interface Begun {
  kind: ChallengeKind;
  /** Null: not known yet. */
  userId: number | null;
  data: unknown;
}

export interface Challenge<T> {
  id: number;
  userId: number | null;
  data: T;
}

/** @returns the text that identifies the challenge. Only its hash is stored, and `data` is sealed. */
export async function makeChallenge({ storage, clock, secrets }: Needs, begun: Begun): Promise<string> {
  const text = makeAccessToken();
  const hash = hashOfAccessToken(text);
  await storage.insert(challenges, {
    hash,
    kind: begun.kind,
    user_id: begun.userId,
    data: secrets.seal(purposeOf(hash), JSON.stringify(begun.data)),
    expires_at: clock.now() + challengeLifeMs,
  });
  return text;
}

export const purposeOf = (hash: string) => `sign-in:${hash}`;

/** Throws AppError `unauthenticated` for a challenge that is unknown, expired, used or of another kind. */
export async function findChallenge<T>(
  { storage, clock, secrets }: Needs,
  kind: ChallengeKind,
  text: string,
): Promise<Challenge<T>> {
  const hash = hashOfAccessToken(text);
  const where = { hash, kind, expires_at: { gt: clock.now() } };
  const [row] = await storage.find(challenges, { where, limit: 1 });
  if (!row) throw challengeOver();
  const data = JSON.parse(secrets.open(purposeOf(hash), row.data)) as T;
  return { id: row.id, userId: row.user_id, data };
}

/** Of several answers that are right, one gets through. In the transaction that carries it out. */
export async function useUp(session: StorageSession, { id }: Pick<Challenge<unknown>, 'id'>): Promise<void> {
  if ((await session.remove(challenges, { id })) !== 1) throw challengeOver();
}

/** Counts an answer before it is compared, so that many at once are no way around the limit. */
export async function countAnswer({ storage }: Needs, { id }: Pick<Challenge<unknown>, 'id'>): Promise<void> {
  const [row] = await storage.find(challenges, { where: { id }, limit: 1 });
  if (!row) throw challengeOver();
  const failures = row.failures + 1;
  const counted = await storage.update(challenges, { id, failures: row.failures }, { failures });
  if (counted !== 1 || failures > wrongAnswers) {
    await storage.remove(challenges, { id });
    throw challengeOver();
  }
}

export const challengeOver = () =>
  new AppError(
    'unauthenticated',
    say`sign_in_step_over: This step of signing in is over, or was taken already: begin again.`,
  );

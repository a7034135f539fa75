import type { ProtectionHealth } from '@holdfast/contracts';
import { codeOf, type Message, say, shownParams } from '../../foundation/kernel/index.js';
import type { MonitoringNeeds } from './needs.js';
import { needsAttention } from './needs-attention.rules.js';
import { type RepositoryFacts, readRepositoryFacts } from './repository-facts.js';

type Needs = Pick<MonitoringNeeds, 'storage' | 'clock'>;

/** How long an answer is reused: the route is public. Milliseconds. */
const freshMs = 5_000;

/** Whether everything is protected, for monitors. Starts no tool. Reads the storage at most every five seconds. */
export const getProtectionHealth = ({ storage, clock }: Needs) => {
  let readAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<ProtectionHealth> | null = null;
  return (): Promise<ProtectionHealth> => {
    const now = clock.now();
    if (answer && Math.abs(now - readAt) < freshMs) return answer;
    const reading = readHealth({ storage, clock });
    readAt = now;
    answer = reading;
    // A failure is not reused.
    reading.catch(() => {
      if (answer === reading) answer = null;
    });
    return reading;
  };
};

/** Without names, for anonymous callers. */
export const withoutNames = ({ repositories: _, ...rest }: ProtectionHealth): ProtectionHealth => rest;

async function readHealth(needs: Needs): Promise<ProtectionHealth> {
  const { now, repositories } = await readRepositoryFacts(needs);
  const wrong = repositories.filter(({ row, protection, newestArchive }) =>
    needsAttention(protection, { ...row, newest: newestArchive }, now),
  );
  const count = (state: string) => repositories.filter(({ protection }) => protection.state === state).length;
  const damaged = repositories.filter(({ protection }) => protection.damaged).length;
  const counts = { protected: count('protected'), late: count('late'), unknown: count('unknown'), damaged };
  const message = messageFor(wrong, repositories.length);
  return {
    status: wrong.length === 0 ? 'protected' : 'not_protected',
    detail: message.text,
    code: message.code,
    params: shownParams(message.params),
    as_of: new Date(now).toISOString(),
    counts,
    repositories: wrong.map(({ row, protection: { state, damaged, reasons } }) => ({
      id: row.id,
      name: row.name,
      status: state,
      damaged,
      reasons: reasons.map(String),
      reason_codes: reasons.map(codeOf),
    })),
  };
}

function messageFor(wrong: readonly RepositoryFacts[], repositories: number): Message {
  if (repositories === 0) return say`protection_of_nothing: There is no repository yet.`;
  if (wrong.length === 0) return say`protection_complete: All repositories are protected.`;
  const late = wrong.filter(({ protection }) => protection.state === 'late').length;
  const damaged = wrong.filter(({ protection }) => protection.damaged).length;
  const unknown = wrong.length - wrong.filter((each) => isLateOrDamaged(each)).length;
  return say`protection_incomplete: Not everything is protected. Repositories: ${{ repositories }}; late: ${{ late }}; damaged: ${{ damaged }}; unknown: ${{ unknown }}.`;
}

const isLateOrDamaged = ({ protection }: RepositoryFacts) =>
  protection.state === 'late' || protection.damaged;

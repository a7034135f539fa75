import { DriverError, type RepositoryIdentity, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { parseJson } from '../parse/json.js';

type Found = Partial<Record<keyof RepositoryIdentity, string | undefined>>;

/**
 * Before registration, any repository is accepted; afterwards, only an encrypted one, unless it was registered
 * without.
 */
export const acceptsUnencrypted = ({ expected }: RepositoryTarget): boolean =>
  expected === undefined || expected.encryption === 'none';

/**
 * Throws DriverError `other_repository` unless what was found, as far as it is known, matches what the target
 * expects.
 */
export function rejectOther({ location, expected }: RepositoryTarget, found: Found): void {
  if (!expected) return;
  const { id = expected.id, encryption = expected.encryption } = found;
  if (id !== expected.id || encryption !== expected.encryption)
    throw otherRepository({ location, expected }, found);
}

/** By default, the id matches, and the encryption is unknown or something else that the tool rejected. */
export const otherRepository = (
  { location, expected }: { location: string; expected: RepositoryIdentity },
  { id = expected.id, encryption = 'unknown' }: Found,
): DriverError =>
  new DriverError(
    'other_repository',
    `The repository at ${location} (id ${short(id)}, encryption ${encryption}) is not the registered one ` +
      `(id ${short(expected.id)}, encryption ${expected.encryption}). Put the registered one back, or let an ` +
      'administrator accept the other one.',
  );

const short = (id: string): string => `${id.slice(0, 12)}…`;

interface ToolAnswer {
  repository?: { id?: string };
  encryption?: { mode?: string };
}

/** Parses the tool's answer to a `--json` flag and checks which repository it comes from. */
export function parseAnswer<T>(target: RepositoryTarget, output: string): T {
  const answer = parseJson<T & ToolAnswer>(output);
  rejectOther(target, { id: answer.repository?.id, encryption: answer.encryption?.mode });
  return answer;
}

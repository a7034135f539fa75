import { DriverError, type RepositoryIdentity, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import { parseJson } from '../parse/json.js';

type Found = Partial<Record<keyof RepositoryIdentity, string | undefined>>;

/** Whoever does not know yet what is there finds out; a registered repository has what it was registered with. */
export const takesUnencrypted = ({ expected }: RepositoryTarget): boolean =>
  expected === undefined || expected.encryption === 'none';

/** DriverError `other_repository` unless what was found is what the target expects, as far as it is known. */
export function refuseOther({ location, expected }: RepositoryTarget, found: Found): void {
  if (!expected) return;
  const { id = expected.id, encryption = expected.encryption } = found;
  if (id !== expected.id || encryption !== expected.encryption)
    throw otherRepository({ location, expected }, found);
}

/** What is not known of the one found is its encryption, or else what the tool took offence at. */
export const otherRepository = (
  { location, expected }: { location: string; expected: RepositoryIdentity },
  { id = expected.id, encryption = 'unknown' }: Found,
): DriverError =>
  new DriverError(
    'other_repository',
    `At ${location} is another repository (id ${short(id)}, encryption ${encryption}) than the registered one ` +
      `(id ${short(expected.id)}, encryption ${expected.encryption}): put that one back, or let an administrator ` +
      'accept the other one.',
  );

const short = (id: string): string => `${id.slice(0, 12)}…`;

interface ToolAnswer {
  repository?: { id?: string };
  encryption?: { mode?: string };
}

/** The tool's answer to a `--json` flag, which says of which repository it is. */
export function parseAnswer<T>(target: RepositoryTarget, output: string): T {
  const answer = parseJson<T & ToolAnswer>(output);
  refuseOther(target, { id: answer.repository?.id, encryption: answer.encryption?.mode });
  return answer;
}

import { invalid, type Message, say } from '../../foundation/kernel/index.js';
import type { StoredSource } from './tables.js';

type Named = Pick<StoredSource, 'kind' | 'name'>;

interface Coverage {
  /** What is covered now, and what would be. */
  before: readonly string[];
  after: readonly string[];
  of: string;
}

/** Throws AppError `invalid` when something that is backed up now would not be any more. */
export function refuseLoss({ before, after, of }: Coverage, saidYes: boolean): void {
  const lost = before.filter((each) => !after.includes(each));
  if (lost.length > 0 && !saidYes) throw invalid(sourcesLost(of, lost));
}

/** The same of databases and containers; without `after`, they stay. */
export function refuseSourceLoss(
  { before, after, of }: { before: readonly Named[]; after: readonly Named[] | undefined; of: string },
  saidYes: boolean,
): void {
  const named = (sources: readonly Named[]) => sources.map(({ kind, name }) => `${kind} ${name}`);
  if (after) refuseLoss({ before: named(before), after: named(after), of }, saidYes);
}

export const sourcesLost = (name: string, lost: readonly string[]): Message =>
  say`import_replaces_sources: ${{ name }} backs up ${{ lost: few(lost) }} now, and the import would end that. Import everything together, or allow replacing its sources (replace_sources).`;

const few = (texts: readonly string[]): string[] =>
  texts.length <= 5 ? [...texts] : [...texts.slice(0, 5), `+ ${texts.length - 5}`];

import type { GivenSource, SourceCandidate, SourceFinding, SourceKindView } from '@holdfast/contracts';
import type { FoundSource } from '@holdfast/plugin-api/source';
import { contains, invalid, isAppError, say, useCasesOf } from '../../foundation/kernel/index.js';
import { kindOf, openedSettings, storedSources } from '../repositories/index.js';
import { repositories } from '../repositories/tables.js';
import { hostOf, type Place } from './hosts.js';
import type { SourcesNeeds } from './needs.js';
import { saidBy } from './said-by.js';

/** A host that does not answer must not keep a request waiting. Milliseconds. */
const longestLookMs = 25_000;

export const sourcesUseCases = (needs: SourcesNeeds) =>
  useCasesOf(needs, { listKinds, findSources, checkSource });

function listKinds({ sourceKinds }: SourcesNeeds): { success: true; kinds: SourceKindView[] } {
  const kinds = sourceKinds.map(({ id, source }) => ({
    id,
    title: source.title,
    fields: source.fields.map(({ choices, ...field }) => ({
      ...field,
      ...(choices && { choices: [...choices] }),
    })),
    finds: source.find !== undefined,
    restores: source.restore !== undefined,
    proves: source.prove !== undefined,
  }));
  return { success: true, kinds: kinds.toSorted((a, b) => a.title.localeCompare(b.title)) };
}

const contextOn = async (needs: SourcesNeeds, place: Place) => {
  const signal = AbortSignal.timeout(longestLookMs);
  const host = await hostOf(needs, place, { signal, log: () => {} });
  return { host, signal, log: () => {} };
};

/** A kind that can't look there finds nothing. Throws AppError `not_found` (connection), DriverError. */
async function findSources(
  needs: SourcesNeeds,
  { connection_id = null }: { connection_id?: number | null | undefined },
) {
  const context = await contextOn(needs, { connectionId: connection_id, container: null });
  const found = await Promise.all(
    needs.sourceKinds.map(async ({ id: kind, source }) => {
      const candidates = (await source.find?.(context).catch(() => [])) ?? [];
      const given = (found: FoundSource) => ({
        kind,
        container: null,
        ...found,
        settings: { ...found.settings },
      });
      return candidates.map(
        ({ detail = null, with: others = [], ...own }): SourceCandidate => ({
          ...given(own),
          detail,
          with: others.map(given),
        }),
      );
    }),
  );
  const offered = found.flat().filter((one) => connection_id !== null || !isOwn(needs, one));
  return { success: true as const, candidates: offered };
}

/** The database of the service has a backup of its own. */
const isOwn = (
  { settings: { reservedPaths = [], ownDatabase } }: SourcesNeeds,
  { kind, name, container }: SourceCandidate,
): boolean =>
  container === null &&
  (reservedPaths.some(({ path }) => contains(path, name)) || (kind === 'postgresql' && name === ownDatabase));

export interface CheckInput {
  source: GivenSource;
  connection_id?: number | null | undefined;
  repository_id?: number | null | undefined;
  source_directories?: string[] | undefined;
}

/** Throws AppError `invalid`, `not_found`. */
async function checkSource(
  needs: SourcesNeeds,
  { source, connection_id = null, repository_id, source_directories }: CheckInput,
) {
  const [row] =
    repository_id == null
      ? []
      : await needs.storage.find(repositories, { where: { id: repository_id }, limit: 1 });
  const moves = row !== undefined && row.source_connection_id !== connection_id;
  const [stored] = storedSources(needs, [source], row?.sources ?? [], moves);
  if (!stored) throw invalid(say`source_not_named: Name a source to check.`);
  const { settings, release } = openedSettings(needs, stored);
  try {
    const folders = source_directories ?? row?.source_directories ?? [];
    const failed = (error: unknown) => [{ status: 'failed' as const, text: saidBy(needs, error).text }];
    const kind = kindOf(needs, source.kind);
    const place = { connectionId: connection_id, container: source.container };
    const findings = await contextOn(needs, place).then(
      (context) => kind.check(settings, { ...context, folders }).catch(failed),
      // A container that does not run is a finding; a host that was removed is not.
      (error: unknown) => (isAppError(error) ? Promise.reject(error) : failed(error)),
    );
    const shown = findings.map(({ status, text, advice }: SourceFinding) => ({
      status,
      text: needs.redactor.redact(text),
      ...(advice !== undefined && { advice }),
    }));
    return { success: true as const, findings: shown };
  } finally {
    release();
  }
}

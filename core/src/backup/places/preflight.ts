import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PreflightInput, PreflightResult } from '@holdfast/contracts';
import { limitedSignal } from '@holdfast/plugin-api';
import { escapeName, isRemoteHostError, normalised, untilAborted } from '../../foundation/kernel/index.js';
import { asSaved, checkCustomFlags, checkSources, leftOutBy } from '../repositories/index.js';
import { findConnection, remoteFailure, usingConnection } from '../ssh/index.js';
import { FewAtOnce } from './few-at-once.js';
import type { PlacesNeeds } from './needs.js';
import { lookAtPlace, placeOf } from './place-facts.js';
import { preflightWarnings, type Scripts } from './preflight-warnings.rules.js';
import { presetGroups } from './preset-savings.js';
import { surveyHost } from './remote-survey.js';
import { newSurvey, type Survey, skippedFrom } from './survey.js';

const defaultPatienceMs = 18_000;
const mostAtOnce = 2;
/** Sources that are looked at together. */
const portion = 100;

/** Throws AppError `not_found`. */
export type ScriptsOf = (repositoryId: number) => Promise<Scripts>;

/**
 * Looks at sources and at the place of a repository before a backup, for at most 20 s. Ends when `gone` is aborted.
 * Throws AppError `invalid`, `not_found` (connection, repository), `unavailable`, `conflict`.
 */
export const preflight = (needs: PlacesNeeds, scriptsOf: ScriptsOf, patienceMs = defaultPatienceMs) => {
  const turns = new FewAtOnce(mostAtOnce);
  return async (input: PreflightInput, gone: AbortSignal): Promise<PreflightResult> => {
    checkSources(input.source_directories);
    const place = await placeOf(needs, input);
    await nextTurn();
    const { repository_id, custom_flags = null } = input;
    const scripts = repository_id ? await scriptsOf(repository_id) : { before: false, leftOutBy: [] };
    const exclusion = exclusionOf(needs, input);
    await nextTurn();
    const sources = [...new Set(input.source_directories.map(normalised))];
    const connectionId = input.source_connection_id ?? null;
    const survey = newSurvey();
    const signal = limitedSignal(patienceMs, gone);
    const { groupOf, savingsIn } = presetGroups(needs, input.exclude_patterns);
    const asked = { sources, connectionId, custom_flags, ...exclusion, groupOf, survey, signal };
    const [ended, found] = await Promise.all([
      untilAborted(
        signal,
        turns.start(() => surveyed(needs, asked)),
      ),
      lookAtPlace(needs, place, { sources: connectionId === null ? sources : null, signal }),
    ]);
    const { tally, counted, missing, silent, symlinks: symlinkSources } = survey;
    const figures = {
      files: counted ? tally.files : null,
      bytes: counted ? tally.bytes : null,
      symlinks: counted ? tally.symlinks : null,
    };
    const complete = ended && counted && silent.length === 0 && exclusion.unknown.length === 0;
    const warnings = preflightWarnings({
      sources,
      local: connectionId === null,
      complete,
      ...figures,
      unreadable: tally.unreadable,
      missing,
      scripts,
      silent,
      symlinkSources,
      uncheckedPatterns: exclusion.unknown,
      ...found,
      skipped: skippedFrom(tally, sources),
      dataDirectory: needs.settings.dataDirectory,
      excluded: exclusion.excluded,
    });
    return {
      success: true,
      complete,
      ...figures,
      missing,
      symlink_sources: symlinkSources,
      unreadable: { count: tally.unreadable, paths: tally.unreadablePaths.map(escapeName) },
      unchecked_patterns: exclusion.unknown,
      free_bytes: found.freeBytes,
      same_disk: found.sameDisk,
      tool: found.tool,
      presets: savingsIn(tally),
      warnings: warnings.map(({ code, params, text }) => ({ code, params: { ...params } as Params, text })),
    };
  };
};

type Params = PreflightResult['warnings'][number]['params'];

function exclusionOf({ driver }: PlacesNeeds, { exclude_patterns, custom_flags = null }: PreflightInput) {
  if (custom_flags !== null) checkCustomFlags(driver, custom_flags);
  return leftOutBy(driver, { exclude_patterns, custom_flags });
}

interface Asked {
  sources: readonly string[];
  connectionId: number | null;
  custom_flags: string | null;
  excluded(path: string): boolean;
  groupOf(path: string): string | null;
  oneFileSystem: boolean;
  survey: Survey;
  signal: AbortSignal;
}

async function surveyed(needs: PlacesNeeds, asked: Asked): Promise<void> {
  const { sources, connectionId, survey, signal } = asked;
  if (connectionId === null) {
    for (let at = 0; at < sources.length; at += portion) {
      const found = await Promise.all(sources.slice(at, at + portion).map(needs.files.lookAt));
      for (const { path, state } of found.map(asSaved(asked))) {
        if (state === 'missing') survey.missing.push(path);
        if (state === 'silent') survey.silent.push(path);
        if (state === 'symlink') survey.symlinks.push(path);
      }
    }
    survey.counted = true;
    const there = sources.filter((path) => ![...survey.missing, ...survey.silent].includes(path));
    return needs.files.survey(there, { ...asked, tally: survey.tally });
  }
  const connection = await findConnection(needs.storage, connectionId);
  try {
    await usingConnection(needs, connection, (account) =>
      surveyHost(needs.remoteHost, { ...account, sudo: connection.sudo }, asked),
    );
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    if (!signal.aborted) throw remoteFailure(error);
  }
}

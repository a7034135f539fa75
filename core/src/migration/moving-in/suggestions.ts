import type { SuggestedSeries, SuggestionsAnswer } from '@holdfast/contracts';
import type { ArchiveSummary, RepositoryContents } from '@holdfast/plugin-api/driver';
import { readWithTool } from '../../backup/archives/index.js';
import { findRepository, isCheckpointName } from '../../backup/repositories/index.js';
import { knownZone } from '../../backup/schedules/index.js';
import {
  AppError,
  escapeName,
  isoTime,
  type Message,
  say,
  sentenceOf,
} from '../../foundation/kernel/index.js';
import type { MovingInNeeds } from './needs.js';
import { retentionLeft } from './retention-left.rules.js';
import { rhythmOf } from './rhythm.rules.js';
import { patternOf, type Series, seriesOf } from './series.rules.js';
import { isTooLong, sourcesOf } from './sources-of.rules.js';

/** Longer than a slow host needs to answer. */
const longestMs = 60_000;

/**
 * Suggests settings that continue the existing archives. Throws AppError `not_found`, `invalid` (time zone),
 * `conflict` (in use), `unavailable` (the tool cannot report command lines), and failures of the tool.
 */
export async function suggest(
  needs: MovingInNeeds,
  id: number,
  { timezone }: { timezone: string },
): Promise<SuggestionsAnswer> {
  const zone = knownZone(timezone).name;
  const { archives } = await contentsNow(needs, id);
  const made = archives.filter(({ name }) => !isCheckpointName(name));
  const series = seriesOf(made).map((each) => suggestedSeries(each, zone));
  return { success: true, repository_id: id, series };
}

async function contentsNow(needs: MovingInNeeds, id: number): Promise<RepositoryContents> {
  const { driver, storage } = needs;
  const look = driver.look?.bind(driver);
  const row = await findRepository(storage, { repository_id: id });
  if (!look)
    throw new AppError(
      'unavailable',
      say`suggestions_unsupported: The backup driver does not report how its archives were created.`,
    );
  const { value } = await readWithTool(needs, row, {
    what: 'a check of how its archives were created',
    work: (target, options) => look(target, {}, { ...options, signal: AbortSignal.timeout(longestMs) }),
  });
  return value;
}

type Made = ArchiveSummary & { commandLine: string[] };

function suggestedSeries({ prefix, hostname, archives }: Series<Made>, zone: string): SuggestedSeries {
  const [newest] = archives as [Made];
  const starts = archives.map(({ start }) => start);
  const { sources, excludes, compression, flags, confidence, remarks } = sourcesOf(newest.commandLine);
  const rhythm = rhythmOf(starts, zone);
  const left = rhythm && retentionLeft(starts, rhythm.stepMs);
  return {
    prefix: escapeName(prefix),
    pattern: patternOf(prefix),
    hostname: escapeName(hostname),
    archive_count: archives.length,
    newest_archive: isoTime(newest.start),
    source_directories: sources.map(escapeName),
    exclude_patterns: excludes.map(escapeName),
    compression,
    custom_flags: flags,
    sources_confidence: confidence,
    rhythm: rhythm && {
      description: rhythm.description,
      cron_expression: rhythm.cron,
      timezone: zone,
      confidence: rhythm.confidence,
      archives: rhythm.archives,
    },
    retention: left && {
      prune_keep_hourly: left.counts.hourly,
      prune_keep_daily: left.counts.daily,
      prune_keep_weekly: left.counts.weekly,
      prune_keep_monthly: left.counts.monthly,
      prune_keep_yearly: left.counts.yearly,
      description: left.description,
      confidence: left.confidence,
    },
    remarks: [...remarks, ...changedSources(archives, sources)].map(sentenceOf),
    evidence: isTooLong(newest.commandLine) ? [] : newest.commandLine.map(escapeName),
  };
}

/** A newest archive of a few folders may be an exception. */
function changedSources([, second]: readonly Made[], sources: readonly string[]): Message[] {
  if (!second) return [];
  const before = sourcesOf(second.commandLine).sources;
  if (
    before.length === 0 ||
    (before.length === sources.length && before.every((path) => sources.includes(path)))
  )
    return [];
  return [
    say`suggestion_sources_changed: The previous archive had other sources: ${{ sources: before.slice(0, 10) }}.`,
  ];
}

import type { Overview, StatusSummary } from '@holdfast/contracts';

/** As JSON: so all fields together stay within 1,024 bytes. */
const mostBytes = 250;

/** Without times of reading, so that it changes only with the state. */
export function summaryOf({
  headline,
  counts,
  attention: [first],
  attention_total,
  oldest_newest_archive,
  next_run,
  figures,
  repositories,
}: Overview): StatusSummary {
  const verified = repositories.flatMap(({ last_verified_restore: at }) => at ?? []);
  return {
    success: true,
    state: headline.state,
    text: headline.text,
    problem: first ? shortened(first.text) : null,
    attention: attention_total,
    repositories: counts.total,
    protected: counts.protected,
    late: counts.late,
    unknown: counts.unknown,
    damaged: counts.damaged,
    running: counts.running,
    incidents: counts.incidents,
    oldest_newest_archive: oldest_newest_archive?.at ?? null,
    // They are of one length and zone, so the greatest is the latest.
    last_verified_restore: verified.sort().at(-1) ?? null,
    next_run: next_run?.at ?? null,
    stored_bytes: figures.stored_bytes?.at(-1) ?? null,
  };
}

function shortened(text: string): string {
  let kept = '';
  for (const letter of text) {
    if (Buffer.byteLength(JSON.stringify(`${kept}${letter}…`)) > mostBytes) return `${kept}…`;
    kept += letter;
  }
  return kept;
}

import type { Schemas } from '../../api/client.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';

/** What an ended job did, in a sentence; null if it has no figures. */
export function summaryOf({
  kind,
  about,
  status,
  progress_details: figures,
}: Schemas['JobView']): string | null {
  const { removed_count: removed, kept_count: kept, drilled_files: drilled } = about;
  const words = t.activity.summary;
  if (kind === 'backup')
    return figures.nfiles > 0 && about.archive
      ? words.backup(
          t.common.files(figures.nfiles, number(figures.nfiles)),
          bytes(figures.original_size),
          figures.deduplicated_size > 0 ? bytes(figures.deduplicated_size) : null,
        )
      : null;
  if (kind === 'prune' && typeof removed === 'number')
    return words.prune(about.dry_run === true, number(removed), number(kept ?? 0));
  if (kind === 'compact' && typeof about.freed_bytes === 'number')
    return words.compact(bytes(about.freed_bytes));
  if (kind === 'drill' && typeof drilled === 'number')
    return words.drill(t.common.files(drilled, number(drilled)), number(about.failed_files ?? 0));
  if (about.dump && about.restored)
    return words.dump(about.dump.name, about.destination ?? '', Boolean(about.replaced));
  if (kind === 'restore' && typeof about.restored === 'number')
    return words.restore(
      t.common.files(about.restored, number(about.restored)),
      about.replaced ? number(about.replaced) : '',
      about.kept ? number(about.kept) : '',
    );
  if (kind === 'discovery' && typeof about.found_count === 'number')
    return words.discovery(about.found_count);
  if (kind !== 'check' || about.check_type === 'repair' || status !== 'completed') return null;
  return about.problems_found === false
    ? words.check[about.partial ? 'part' : about.verify_data ? 'data' : 'full']
    : null;
}

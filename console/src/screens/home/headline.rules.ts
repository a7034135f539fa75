import type { Schemas } from '../../api/client.js';
import { t } from '../../i18n/messages.js';

type Overview = Schemas['Overview'];

type Shown = Pick<Overview, 'headline' | 'repositories'>;

const classes = ['damaged', 'unreachable', 'late', 'drill', 'unknown', 'protected'] as const;

/** One sentence if all are of one class, otherwise each class with its number. */
export function headlineWords({ headline: { code, params, state }, repositories }: Shown): string {
  const words = t.home.headline;
  if (code === 'overview_states')
    return classes
      .filter((each) => Number(params[each]) > 0)
      .map((each) => words.classes[each](Number(params[each])))
      .join(', ')
      .concat('.');
  const [count, total] = [Number(params.count), Number(params.total)];
  if (code === 'overview_drill_failed') return words.drill(count, total);
  if (code === 'overview_unreachable') return words.unreachable(count, total);
  const unknown = repositories.filter(({ status }) => status === 'unknown');
  if (state === 'unknown' && unknown.every(({ reason }) => reason.code === 'protection_first_archive_due'))
    return words.noArchive(count, total);
  if (state === 'empty') return words.empty();
  return state === 'protected' ? words.protected(total) : words[state](count, total);
}

/** The late one whose protection ended first: an old archive alone is not a problem. */
export function furthestBehind(repositories: Overview['repositories']) {
  const late = repositories.flatMap(({ name, status, newest_archive, protected_until }) =>
    status === 'late' && newest_archive ? [{ name, newest_archive, until: protected_until ?? '' }] : [],
  );
  return late.sort((one, other) => (one.until < other.until ? -1 : 1))[0];
}

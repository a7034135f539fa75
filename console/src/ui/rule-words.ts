import { t } from '../i18n/messages.js';

/**
 * The decision of retention for an archive: `removed`, `daily #3`, `newest good archive`. Needs the messages
 * of `maintenance`.
 */
export function ruleInWords(rule: string): string {
  const { periods, counted, others, newestWith, pinned } = t.maintenance.prune.rules;
  const [, period = '', place] = /^(\w+)(?:\[oldest\])? #(\d+)$/.exec(rule) ?? [];
  if (place) return counted(periods[period] ?? period, Number(place));
  const [, path] = /^newest archive with (\/.*)$/s.exec(rule) ?? [];
  const [, reason] = /^pinned: (.*)$/s.exec(rule) ?? [];
  if (reason) return pinned(reason);
  return path ? newestWith(path) : (others[rule] ?? rule);
}

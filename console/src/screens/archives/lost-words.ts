import type { Schemas } from '../../api/client.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';

/** Which files would be lost, and whether more may be. Null: the repository has no index. */
export function lostInWords(lost: Schemas['LostFiles'] | null): string {
  const { unknown, none, noneYet, some, notIndexed } = t.maintenance.lost;
  if (lost === null) return unknown;
  const { files, not_indexed: missing } = lost;
  if (files === 0 && missing === 0) return none;
  const words = files === 0 ? noneYet : some(files, number(files), bytes(lost.bytes));
  return missing === 0 ? words : `${words} ${notIndexed(missing, number(missing))}`;
}

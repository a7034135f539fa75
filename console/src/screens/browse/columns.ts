import type { Schemas } from '../../api/client.js';
import { t } from '../../i18n/messages.js';
import type { Column } from '../../ui/data-list.rules.js';

type Entry = Schemas['ContentItem'];

const byName = ({ name, type }: Entry) => `${type === 'directory' ? 0 : 1}${name}`;
/** Null for a link, whose own size says nothing. */
export const sizeOf = ({ type, size }: Entry): number | null => (type === 'symlink' ? null : size);
const byTime = ({ mtime }: Entry) => mtime && Date.parse(mtime);

export const columns = (): Omit<Column<Entry>, 'cell'>[] => [
  { key: 'name', head: t.common.name, sort: byName },
  { key: 'size', head: t.browse.size, width: '11rem', figure: true, sort: sizeOf },
  { key: 'modified', head: t.browse.modified, width: '9.25rem', figure: true, sort: byTime },
];

import { useRead } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { SettingsList } from '../settings-page.js';

export default function SourceSets() {
  const isAdmin = useIsAdmin();
  const query = useRead('/api/source-sets');
  return (
    <SettingsList
      page="sourceSets"
      query={query}
      rowsOf={({ source_sets }) => source_sets}
      address="/settings/source-sets"
      add={isAdmin && t.sources.add}
      empty={t.sources.empty}
      columns={(of) => [
        of.name(({ name }) => name),
        of.text(
          'folders',
          t.repository.sources,
          (set) => [...set.source_directories, ...set.sources.map(({ name }) => name)].join(', '),
          { width: 'minmax(0, 3fr)' },
        ),
        of.figure('uses', t.settings.usedBy, ({ repositories }) => repositories.length, number, '6.5rem'),
      ]}
    />
  );
}

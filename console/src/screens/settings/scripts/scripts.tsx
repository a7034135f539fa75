import { useRead } from '../../../api/api.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { number } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { SettingsList } from '../settings-page.js';

export default function Scripts() {
  const isAdmin = useIsAdmin();
  const query = useRead('/api/scripts');
  return (
    <SettingsList
      page="scripts"
      query={query}
      rowsOf={(scripts) => scripts}
      address="/settings/scripts"
      add={isAdmin && t.scripts.add}
      empty={t.scripts.empty}
      columns={(of) => [
        of.name(({ name }) => name),
        of.text('about', t.schedules.description, ({ description }) => description, {
          width: 'minmax(0, 3fr)',
        }),
        of.figure('uses', t.settings.usedBy, ({ usage_count }) => usage_count, number, '6.5rem'),
      ]}
    />
  );
}

import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { Tokens } from './tokens.js';
import { Users } from './users.js';

export default function People() {
  const isAdmin = useIsAdmin();
  return (
    <Page
      title={isAdmin ? t.frame.page.people : t.settings.tokens}
      up={[t.frame.place.settings, '/settings']}
      lead={isAdmin ? t.settings.for.people : t.settings.tokensFor}
    >
      {isAdmin && <Users />}
      <Tokens />
    </Page>
  );
}

import { user as signedIn } from '../../../hub/link.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { useStore } from '../../../store.js';
import { Tokens } from './tokens.js';
import { Users } from './users.js';

/** Users, and the tokens of the current user. */
export default function People() {
  const isAdmin = useStore(signedIn)?.is_admin ?? false;
  return (
    <Page
      title={isAdmin ? t.settings.pages.people : t.settings.tokens}
      up={[t.settings.title, '/settings']}
      lead={isAdmin ? t.settings.for.people : t.settings.tokensFor}
    >
      {isAdmin && <Users />}
      <Tokens />
    </Page>
  );
}

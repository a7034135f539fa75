import { useLocation } from 'wouter-preact';
import { user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { PasswordForm } from './change-password.js';

/** Of the account that is signed in. */
export default function Password() {
  const user = useStore(signedIn);
  const [, navigate] = useLocation();
  return (
    <Page title={t.frame.changePassword} narrow>
      {user && <PasswordForm user={user} onDone={() => navigate('/')} />}
    </Page>
  );
}

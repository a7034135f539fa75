import { useState } from 'preact/hooks';
import { isError, write } from '../api/api.js';
import { confirmationAsked } from '../api/confirmation-request.js';
import { canUsePasskeys, webAuthn } from '../api/passkeys.js';
import { user as signedIn } from '../hub/link.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { SecretField } from '../ui/field.js';
import { Form, useAction } from '../ui/form.js';
import { later } from '../ui/later.js';

/** For the few without a password. */
const Elsewhere = later(() => import('./confirm-at-provider.js'));

export function ConfirmationDialog() {
  const settle = useStore(confirmationAsked);
  const user = useStore(signedIn);
  if (!settle) return null;
  const isElsewhere = user?.has_password === false && user.second_factor.passkeys === 0;
  return isElsewhere ? <Elsewhere onClose={() => settle(false)} /> : <AskPassword settle={settle} />;
}

function AskPassword({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await write('POST', '/api/auth/confirm', { body: { password } }).catch((reason) => {
      throw isError(reason, 400) ? new Error(t.frame.wrongPassword) : reason;
    });
    settle(true);
  });
  const byPasskey = useAction(async () => {
    const [{ askPasskey }, { challenge, options }] = await Promise.all([
      webAuthn(),
      write('POST', '/api/auth/passkeys/confirm-options'),
    ]);
    const response = (await askPasskey(options)) as never;
    await write('POST', '/api/auth/confirm', { body: { challenge, response } });
    settle(true);
  });
  const hasPasskey = (useStore(signedIn)?.second_factor.passkeys ?? 0) > 0 && canUsePasskeys();
  return (
    <Dialog title={t.frame.confirmTitle} onClose={() => settle(false)}>
      <Form
        action={{ isBusy: action.isBusy, error: action.error ?? byPasskey.error }}
        onSubmit={action.run}
        submit={t.frame.confirm}
        onCancel={() => settle(false)}
        buttons={
          hasPasskey && (
            <Button busy={byPasskey.isBusy} onClick={() => void byPasskey.run()}>
              {t.frame.usePasskey}
            </Button>
          )
        }
        disabled={password === ''}
      >
        <p>{t.frame.confirmLead}</p>
        <SecretField
          label={t.frame.password}
          autoComplete="current-password"
          autofocus
          value={password}
          onValue={setPassword}
        />
      </Form>
    </Dialog>
  );
}

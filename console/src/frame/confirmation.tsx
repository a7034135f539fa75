import { useState } from 'preact/hooks';
import { isError, write } from '../api/api.js';
import { confirmationAsked } from '../api/confirmation-request.js';
import { t } from '../i18n/messages.js';
import { useStore } from '../store.js';
import { Dialog } from '../ui/dialog.js';
import { SecretField } from '../ui/field.js';
import { Form, useAction } from '../ui/form.js';

export function ConfirmationDialog() {
  const settle = useStore(confirmationAsked);
  return settle ? <AskPassword settle={settle} /> : null;
}

function AskPassword({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await write('POST', '/api/auth/confirm', { body: { password } }).catch((reason) => {
      throw isError(reason, 400) ? new Error(t.frame.wrongPassword) : reason;
    });
    settle(true);
  });
  return (
    <Dialog title={t.frame.confirmTitle} onClose={() => settle(false)}>
      <Form
        action={action}
        onSubmit={action.run}
        submit={t.frame.confirm}
        onCancel={() => settle(false)}
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

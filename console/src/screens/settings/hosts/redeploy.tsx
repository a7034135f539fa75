import { useState } from 'preact/hooks';
import { outdate, write } from '../../../api/api.js';
import { refused } from '../../../api/refused.js';
import { t } from '../../../i18n/messages.js';
import { spoken } from '../../../i18n/sentences.js';
import { announce } from '../../../ui/announce.js';
import { Dialog } from '../../../ui/dialog.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form, useAction } from '../../../ui/form.js';
import { type Connection, noRestriction, RestrictionFields, restrictOf } from './parts.js';
import { PasswordField } from './with-password.js';

/** Copies the current key to the host again, with the password of the account. */
export function Redeploy({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [restriction, setRestriction] = useState(noRestriction);
  const action = useAction();
  const deploy = () =>
    action.run(async () => {
      const deployed = await write('POST', '/api/ssh-keys/connections/{connection_id}/redeploy', {
        path: { connection_id: connection.id },
        body: { password, ...restrictOf(restriction) },
      });
      outdate('/api/ssh-keys', '/api/overview');
      if (!deployed.success) throw refused(deployed);
      announce(spoken(deployed));
      onClose();
    });
  return (
    <Dialog title={t.hosts.redeploy} onClose={onClose}>
      <Form
        action={action}
        onSubmit={deploy}
        submit={t.hosts.redeploy}
        onCancel={onClose}
        disabled={password === ''}
      >
        <p>{t.hosts.redeployLead}</p>
        <PasswordField value={password} onValue={setPassword} error={errorAt(action.error, 'password')} />
        <RestrictionFields value={restriction} onValue={setRestriction} error={action.error} />
      </Form>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { type Schemas, write } from '../../../api/api.js';
import { refused } from '../../../api/refused.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { spoken } from '../../../i18n/sentences.js';
import { CheckField, SecretField, TextField } from '../../../ui/field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../../ui/form.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { AddressFields } from './edit-host.js';
import { type Connection, JumpField, noRestriction, RestrictionFields, restrictOf } from './parts.js';

export interface WayProps {
  systemKey: Schemas['SshKeyView'] | null;
  onDone: (connection: Connection | undefined, message: string) => void;
}

export const noAddress = {
  host: '',
  username: '',
  port: 22,
  host_key_fingerprint: '',
  jump_connection_id: null as number | null,
};

/** As the body of a request has it. */
export const addressIn = ({ host, username, port, host_key_fingerprint }: typeof noAddress) => ({
  ...{ host, username, port },
  ...(host_key_fingerprint.trim() && { host_key_fingerprint: host_key_fingerprint.trim() }),
});

export const throughIn = ({ jump_connection_id }: typeof noAddress) =>
  jump_connection_id !== null && { jump_connection_id };

export const isWhole = ({ host, username, port }: typeof noAddress): boolean =>
  host.trim() !== '' && username.trim() !== '' && port > 0;

/** Copies the key to the host, and creates it first if needed. */
export function WithPassword({ systemKey, onDone }: WayProps) {
  const [draft, change] = useDraft({ ...noAddress, password: '', use_sftp_mode: true });
  const [restriction, setRestriction] = useState(noRestriction);
  const isAdmin = useIsAdmin();
  const action = useAction();
  const field = fieldsOf(draft, change, action.error);
  const { password, use_sftp_mode } = draft;
  const body = { ...addressIn(draft), password, use_sftp_mode, ...restrictOf(restriction) };
  const connect = () =>
    action.run(async () => {
      if (!systemKey) {
        const made = await write('POST', '/api/ssh-keys/quick-setup', {
          body: { ...body, name: t.hosts.keyName, key_type: 'ed25519', skip_deployment: false },
        });
        return onDone(made.connection, t.hosts.keyMade);
      }
      const deployed = await write('POST', '/api/ssh-keys/{key_id}/deploy', {
        path: { key_id: systemKey.id },
        body: { ...body, ...throughIn(draft) },
      });
      if (!deployed.success) throw refused(deployed);
      onDone(deployed.connection, spoken(deployed));
    });
  return (
    <Form
      action={action}
      onSubmit={connect}
      submit={t.hosts.connect}
      disabled={!isWhole(draft) || password === ''}
    >
      {!systemKey && <Notice>{t.hosts.makesKey}</Notice>}
      <AddressFields value={draft} onValue={change} error={action.error} />
      <PasswordField {...field.value('password')} />
      <RestrictionFields value={restriction} onValue={setRestriction} error={action.error} />
      <More label={t.configuration.rarely}>
        {systemKey && isAdmin && <JumpField {...field.value('jump_connection_id')} />}
        <FingerprintField {...field.value('host_key_fingerprint')} />
        <CheckField
          label={t.hosts.fields.use_sftp_mode}
          hint={t.hosts.hints.use_sftp_mode}
          {...field.check('use_sftp_mode')}
        />
      </More>
    </Form>
  );
}

interface TextProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

export const PasswordField = (props: TextProps) => (
  <SecretField label={t.hosts.password} hint={t.hosts.passwordHint} {...props} />
);

export const FingerprintField = (props: TextProps) => (
  <TextField label={t.hosts.expected} hint={t.hosts.expectedHint} placeholder="SHA256:…" exact {...props} />
);

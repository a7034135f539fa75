import { useState } from 'preact/hooks';
import { type Schemas, write } from '../../../api/api.js';
import { refused } from '../../../api/refused.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { spoken } from '../../../i18n/sentences.js';
import { CheckField, SecretField, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { useAction } from '../../../ui/use-action.js';
import { AddressFields } from './edit-host.js';
import { type Connection, JumpField, noRestriction, RestrictionFields, restrictOf } from './parts.js';

export interface WayProps {
  systemKey: Schemas['SshKeyView'] | null;
  onDone: (connection: Connection | undefined, message: string) => void;
}

/** Copies the key to the host, and creates it first if needed. */
export function WithPassword({ systemKey, onDone }: WayProps) {
  const [address, setAddress] = useState({ host: '', username: '', port: 22 });
  const [password, setPassword] = useState('');
  const [fingerprint, setFingerprint] = useState('');
  const [usesSftp, setUsesSftp] = useState(true);
  const [restriction, setRestriction] = useState(noRestriction);
  const [jump, setJump] = useState<number | null>(null);
  const isAdmin = useIsAdmin();
  const action = useAction();
  const body = {
    ...address,
    password,
    use_sftp_mode: usesSftp,
    ...restrictOf(restriction),
    ...(fingerprint.trim() && { host_key_fingerprint: fingerprint.trim() }),
  };
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
        body: { ...body, ...(jump !== null && { jump_connection_id: jump }) },
      });
      if (!deployed.success) throw refused(deployed);
      onDone(deployed.connection, spoken(deployed));
    });
  return (
    <Form
      action={action}
      onSubmit={connect}
      submit={t.hosts.connect}
      disabled={!address.host.trim() || !address.username.trim() || !address.port || password === ''}
    >
      {!systemKey && <Notice>{t.hosts.makesKey}</Notice>}
      <AddressFields
        value={address}
        onValue={(part) => setAddress({ ...address, ...part })}
        error={action.error}
      />
      <SecretField
        label={t.hosts.password}
        hint={t.hosts.passwordHint}
        error={errorAt(action.error, 'password')}
        autoComplete="off"
        value={password}
        onValue={setPassword}
      />
      <RestrictionFields value={restriction} onValue={setRestriction} error={action.error} />
      <More label={t.hosts.special}>
        {systemKey && isAdmin && <JumpField value={jump} onValue={setJump} error={action.error} />}
        <FingerprintField value={fingerprint} onValue={setFingerprint} error={action.error} />
        <CheckField
          label={t.hosts.fields.use_sftp_mode}
          hint={t.hosts.hints.use_sftp_mode}
          checked={usesSftp}
          onChecked={setUsesSftp}
        />
      </More>
    </Form>
  );
}

interface FingerprintProps {
  value: string;
  onValue: (value: string) => void;
  error: unknown;
}

export const FingerprintField = ({ value, onValue, error }: FingerprintProps) => (
  <TextField
    label={t.hosts.expected}
    hint={t.hosts.expectedHint}
    error={errorAt(error, 'host_key_fingerprint')}
    placeholder="SHA256:…"
    autoComplete="off"
    autoCapitalize="none"
    spellcheck={false}
    value={value}
    onValue={onValue}
  />
);

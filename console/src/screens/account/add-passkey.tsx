import { useState } from 'preact/hooks';
import { write } from '../../api/api.js';
import { webAuthn } from '../../api/passkeys.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { TextField } from '../../ui/field.js';
import { PasswordStep } from './password-step.js';
import { RecoveryCodes } from './recovery-codes.js';

interface AddProps {
  onDone: () => unknown;
  onCancel: () => void;
}

/** The first one comes with recovery codes. */
export function AddPasskey({ onDone, onCancel }: AddProps) {
  const [name, setName] = useState('');
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = async (password: string) => {
    const { challenge, options } = await write('POST', '/api/auth/passkeys/setup', { body: { password } });
    const response = (await (await webAuthn()).createPasskey(options)) as never;
    const body = { challenge, name, response };
    const { recovery_codes } = await write('POST', '/api/auth/passkeys', { body });
    announce(t.account.passkeyAdded(name));
    if (recovery_codes.length > 0) setCodes(recovery_codes);
    else await onDone();
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <PasswordStep
      submit={t.account.addPasskey}
      disabled={name.trim() === ''}
      onPassword={add}
      onCancel={onCancel}
    >
      <TextField
        label={t.account.passkeyName}
        hint={t.account.passkeyNameHint}
        required
        autoComplete="off"
        value={name}
        onValue={setName}
      />
    </PasswordStep>
  );
}

import { useState } from 'preact/hooks';
import { t } from '../../../i18n/messages.js';
import { SecretField } from '../../../ui/field.js';
import { type Action, Form } from '../../../ui/form.js';

type Acting = Pick<Action<never[]>, 'isBusy' | 'error'>;

export function OpenMany({ action, onOpen }: { action: Acting; onOpen: (passphrase: string) => unknown }) {
  const [passphrase, setPassphrase] = useState('');
  return (
    <Form action={action} onSubmit={() => onOpen(passphrase)} submit={t.movingIn.open}>
      <SecretField
        label={t.movingIn.passphrase}
        hint={t.movingIn.passphraseHint}
        value={passphrase}
        onValue={setPassphrase}
      />
    </Form>
  );
}

interface RegisterProps {
  action: Acting;
  count: number;
  onRegister: () => unknown;
}

export const Register = ({ action, count, onRegister }: RegisterProps) => (
  <Form action={{ ...action, error: null }} onSubmit={onRegister} submit={t.movingIn.register(count)}>
    <p class="muted small">{t.movingIn.registerHint}</p>
  </Form>
);

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { SecretField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';

interface PasswordStepProps {
  lead?: string;
  submit?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Rejects if it is wrong. */
  onPassword: (password: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** What changes how one signs in begins with the password. */
export function PasswordStep({
  lead = t.account.enterPassword,
  onPassword,
  children,
  ...rest
}: PasswordStepProps) {
  const { submit = t.account.next, danger = false, disabled = false, onCancel } = rest;
  const [password, setPassword] = useState('');
  const action = useAction(() => onPassword(password));
  const user = useStore(signedIn);
  return (
    <Form
      action={action}
      onSubmit={action.run}
      submit={submit}
      danger={danger}
      disabled={disabled || password === ''}
      onCancel={onCancel}
    >
      <p>{lead}</p>
      <input type="text" name="username" autoComplete="username" value={user?.username} readOnly hidden />
      <SecretField
        label={t.frame.password}
        autoComplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      {children}
    </Form>
  );
}

import { useState } from 'preact/hooks';
import { type Schemas, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { Copyable } from '../../ui/copy.js';
import { Form, useAction } from '../../ui/form.js';
import styles from './account.module.css';
import { CodeField } from './code-field.js';
import { PasswordStep } from './password-step.js';
import { RecoveryCodes } from './recovery-codes.js';

interface SetUpProps {
  /** The codes are saved, or nothing was changed. */
  onDone: () => unknown;
  onCancel: () => void;
}

/** Password, first code, recovery codes. */
export function SetUpApp({ onDone, onCancel }: SetUpProps) {
  const [begun, setBegun] = useState<Schemas['TotpSetup'] | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (begun) return <FirstCode begun={begun} onCodes={setCodes} onCancel={onCancel} />;
  return (
    <PasswordStep
      onCancel={onCancel}
      onPassword={async (password) =>
        setBegun(await write('POST', '/api/auth/totp/setup', { body: { password } }))
      }
    />
  );
}

interface FirstCodeProps {
  begun: Schemas['TotpSetup'];
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

function FirstCode({ begun: { challenge, secret, qr_svg }, onCodes, onCancel }: FirstCodeProps) {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    const body = { challenge, code };
    onCodes((await write('POST', '/api/auth/totp/enable', { body })).recovery_codes);
  });
  return (
    <Form
      action={action}
      onSubmit={action.run}
      submit={t.account.turnOn}
      disabled={code.trim() === ''}
      onCancel={onCancel}
    >
      <p>{t.account.scan}</p>
      <img
        class={styles.picture}
        alt={t.account.picture}
        src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
      />
      <Copyable text={secret} label={t.account.key} />
      <CodeField value={code} onValue={setCode} />
    </Form>
  );
}

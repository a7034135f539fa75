import { useState } from 'preact/hooks';
import { write } from '../../api/api.js';
import { renewUser, user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { announce } from '../../ui/announce.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';
import { Section } from '../../ui/layout.js';
import { LinkedAccounts } from './linked-accounts.js';
import { Passkeys } from './passkeys.js';
import { PasswordStep } from './password-step.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SetUpApp } from './set-up-app.js';

/** How the account that is signed in signs in. */
export default function Account() {
  const user = useStore(signedIn);
  const factor = user?.second_factor;
  // Whom a provider signs in has nothing here that could be set up.
  if (user?.has_password === false)
    return (
      <Page title={t.frame.yourAccount} lead={t.account.noPassword} narrow>
        <LinkedAccounts />
      </Page>
    );
  return (
    <Page
      title={t.frame.yourAccount}
      lead={t.account.lead}
      actions={<ButtonLink href="/password">{t.frame.changePassword}</ButtonLink>}
      narrow
    >
      <App isSetUp={factor?.totp === true} />
      <Passkeys />
      <LinkedAccounts />
      {factor && (factor.totp || factor.passkeys > 0) && <Codes left={factor.recovery_codes} />}
    </Page>
  );
}

function App({ isSetUp }: { isSetUp: boolean }) {
  const [asking, setAsking] = useState<'set up' | 'remove' | null>(null);
  const close = () => setAsking(null);
  const done = () => renewUser().then(close);
  return (
    <Section
      title={t.account.app}
      actions={
        <Button
          onClick={() => setAsking(isSetUp ? 'remove' : 'set up')}
          aria-label={isSetUp ? t.account.removeApp : t.account.setUpApp}
        >
          {isSetUp ? t.account.remove : t.account.setUp}
        </Button>
      }
    >
      <p>{isSetUp ? t.account.appOn : t.account.appFor}</p>
      {asking === 'set up' && (
        <Dialog title={t.account.setUpApp} onClose={done}>
          <SetUpApp onDone={done} onCancel={close} />
        </Dialog>
      )}
      {asking === 'remove' && <RemoveApp onDone={done} onCancel={close} />}
    </Section>
  );
}

interface DialogProps {
  onDone: () => unknown;
  onCancel: () => void;
}

function RemoveApp({ onDone, onCancel }: DialogProps) {
  const [code, setCode] = useState('');
  const remove = async (password: string) => {
    await write('POST', '/api/auth/totp/disable', { body: { password, code } });
    announce(t.account.appRemoved);
    await onDone();
  };
  return (
    <Dialog title={t.account.removeApp} onClose={onCancel}>
      <PasswordStep
        lead={t.account.removeAppMeans}
        submit={t.account.remove}
        danger
        disabled={code.trim() === ''}
        onPassword={remove}
        onCancel={onCancel}
      >
        <TextField label={t.account.anyCode} exact required value={code} onValue={setCode} />
      </PasswordStep>
    </Dialog>
  );
}

function Codes({ left }: { left: number }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={t.account.codes}
      actions={<Button onClick={() => setAsking(true)}>{t.account.newCodes}</Button>}
    >
      <p>
        {t.account.codesFor} {t.account.codesLeft(left)}
      </p>
      {isAsking && (
        <NewCodes onDone={() => renewUser().then(() => setAsking(false))} onCancel={() => setAsking(false)} />
      )}
    </Section>
  );
}

function NewCodes({ onDone, onCancel }: DialogProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = async (password: string) => {
    const body = { password };
    setCodes((await write('POST', '/api/auth/totp/recovery-codes', { body })).recovery_codes);
  };
  return (
    <Dialog title={t.account.codes} onClose={codes ? onDone : onCancel}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onDone} />
      ) : (
        <PasswordStep
          lead={t.account.newCodesMean}
          submit={t.account.newCodes}
          onPassword={renew}
          onCancel={onCancel}
        />
      )}
    </Dialog>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { HoldfastError } from '../../api/client.js';
import { canUsePasskeys } from '../../api/passkeys.js';
import type { SecondFactorDue } from '../../hub/protocol.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { CheckField, SecretField, TextField } from '../../ui/field.js';
import { later } from '../../ui/later.js';
import { Stack } from '../../ui/layout.js';
import { Mark } from '../../ui/mark.js';
import { Notice } from '../../ui/notice.js';
import { ProviderButtons } from './provider-buttons.js';
import styles from './sign-in.module.css';
import { SignInError, Submit } from './submit.js';
import { passkeyStep, type SignIn as Signing, useSignIn } from './use-sign-in.js';

const SecondStep = later(() => import('../account/second-step.js'));

/** @param isOver - A session ended while a page was open: the page waits behind. */
export function SignIn({ isOver }: { isOver: boolean }) {
  const [due, setDue] = useState<SecondFactorDue | null>(null);
  const signing = useSignIn();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.common.pageTitle(t.frame.signInTitle);
    heading.current?.focus();
  }, [due]);
  return (
    <main class={styles.screen}>
      <div class={styles.form}>
        <div class={styles.brand}>
          <Mark />
          <h1 ref={heading} tabIndex={-1}>
            {t.frame.signInTitle}
          </h1>
        </div>
        {due ? (
          <SecondStep due={due} signing={signing} onOver={() => setDue(null)} />
        ) : (
          <FirstStep isOver={isOver} signing={signing} onDue={setDue} />
        )}
        <p class="visually-hidden" role="status">
          {signing.said}
        </p>
      </div>
    </main>
  );
}

interface FirstProps {
  isOver: boolean;
  signing: Signing;
  onDue: (due: SecondFactorDue) => void;
}

function FirstStep({ isOver, signing, onDue }: FirstProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const { signIn, error, setError, isBusy, seconds } = signing;
  const refused = (reason: unknown) => {
    setPassword('');
    if (!(reason instanceof HoldfastError) || !reason.secondFactor) return;
    setError(null);
    onDue(reason.secondFactor);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (seconds === 0) void signIn({ step: '', body: { username, password, remember } }, refused);
      }}
    >
      <Stack>
        {isOver && <Notice kind="info">{t.frame.sessionOver}</Notice>}
        <TextField
          label={t.frame.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellcheck={false}
          required
          value={username}
          onValue={setUsername}
        />
        <SecretField
          label={t.frame.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onValue={setPassword}
        />
        <CheckField
          label={t.frame.remember}
          hint={t.frame.rememberHint}
          checked={remember}
          onChecked={setRemember}
        />
        <SignInError seconds={seconds} error={error} />
        <Submit signing={signing} disabled={username === '' || password === ''} />
        {canUsePasskeys() && (
          <Button
            wide
            disabled={isBusy || seconds > 0}
            onClick={() => void signIn(() => passkeyStep({ remember }))}
          >
            {t.frame.signInByPasskey}
          </Button>
        )}
        <ProviderButtons />
        <FirstTime />
      </Stack>
    </form>
  );
}

const FirstTime = () => (
  <details class={styles.first}>
    <summary>{t.frame.firstTime}</summary>
    <p>{t.frame.firstPassword}</p>
    <code>First start: user admin, password …</code>
  </details>
);

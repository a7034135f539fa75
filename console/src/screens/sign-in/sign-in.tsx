import { useEffect, useRef, useState } from 'preact/hooks';
import { HoldfastError, type Schemas } from '../../api/client.js';
import { ask, user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { navigations } from '../../shell/navigation.js';
import { Button } from '../../ui/button.js';
import { CheckField, SecretField, TextField } from '../../ui/field.js';
import { Stack } from '../../ui/layout.js';
import { Mark } from '../../ui/mark.js';
import { ErrorNotice, Notice } from '../../ui/notice.js';
import { useCountdown } from '../../ui/use-countdown.js';
import styles from './sign-in.module.css';

/** Asks the service, and counts down the time it wants to be left alone. */
function useSignIn() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [seconds, wait] = useCountdown();
  const [said, say] = useState('');
  /** Calls `onRefused` if it fails. */
  const signIn = async (given: Schemas['BrowserCredentials'], onRefused: () => void) => {
    setBusy(true);
    setError(null);
    say('');
    try {
      const user = await ask('signIn', given);
      navigations.isSignIn = true;
      signedIn.set(user);
    } catch (reason) {
      onRefused();
      setError(reason);
      if (reason instanceof HoldfastError && reason.status === 429) {
        const all = reason.retryAfter ?? 30;
        wait(all);
        // Not each second: at the beginning and at the end.
        say(t.frame.tooMany(all));
        setTimeout(() => say(t.frame.tryNow), all * 1000);
      }
    } finally {
      setBusy(false);
    }
  };
  return { signIn, error, isBusy, seconds, said };
}

/** @param isOver - A session ended while a page was open: the page waits behind. */
export function SignIn({ isOver }: { isOver: boolean }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const { signIn, error, isBusy, seconds, said } = useSignIn();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t.common.pageTitle(t.frame.signInTitle);
    heading.current?.focus();
  }, []);
  return (
    <main class={styles.screen}>
      <form
        class={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (seconds === 0) void signIn({ username, password, remember }, () => setPassword(''));
        }}
      >
        <div class={styles.brand}>
          <Mark />
          <h1 ref={heading} tabIndex={-1}>
            {t.frame.signInTitle}
          </h1>
        </div>
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
          {seconds > 0 ? (
            <Notice kind="warning">{t.frame.tooMany(seconds)}</Notice>
          ) : error ? (
            <SignInError error={error} />
          ) : null}
          <p class="visually-hidden" role="status">
            {said}
          </p>
          <Button
            type="submit"
            look="primary"
            wide
            busy={isBusy}
            disabled={seconds > 0 || username === '' || password === ''}
          >
            {t.frame.signIn}
          </Button>
          <FirstTime />
        </Stack>
      </form>
    </main>
  );
}

const FirstTime = () => (
  <details class={styles.first}>
    <summary>{t.frame.firstTime}</summary>
    <p>{t.frame.firstPassword}</p>
    <code>First start: user admin, password …</code>
  </details>
);

const SignInError = ({ error }: { error: unknown }) =>
  error instanceof HoldfastError && error.status === 401 ? (
    <Notice kind="error" live>
      {t.frame.wrongSignIn}
    </Notice>
  ) : (
    <ErrorNotice error={error} />
  );

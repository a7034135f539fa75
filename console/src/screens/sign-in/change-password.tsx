import { useState } from 'preact/hooks';
import { write } from '../../api/api.js';
import { renewUser } from '../../hub/link.js';
import type { User } from '../../hub/protocol.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { SecretField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';
import { Stack } from '../../ui/layout.js';
import { Mark } from '../../ui/mark.js';
import styles from './sign-in.module.css';

/** A password that was generated or set by an administrator must be changed first. */
export function ChangePassword({ user }: { user: User }) {
  return (
    <main class={styles.screen}>
      <div class={styles.form}>
        <div class={styles.brand}>
          <Mark />
          <h1>{t.frame.newPasswordTitle}</h1>
        </div>
        <Stack>
          <p>{t.frame.mustChange}</p>
          <PasswordForm user={user} onDone={() => undefined} />
        </Stack>
      </div>
    </main>
  );
}

export function PasswordForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const isShort = next.length > 0 && next.length < 8;
  const action = useAction(async () => {
    const body = { current_password: current, new_password: next };
    await write('POST', '/api/auth/change-password', { body });
    // This session stays; that the password need not be changed any more comes with its next token.
    await renewUser();
    announce(t.frame.passwordChanged);
    onDone();
  });
  return (
    <Form
      action={action}
      onSubmit={action.run}
      submit={t.frame.changePassword}
      disabled={current === '' || next === '' || isShort}
    >
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <SecretField
        label={t.frame.currentPassword}
        autoComplete="current-password"
        required
        value={current}
        onValue={setCurrent}
      />
      <SecretField
        label={t.frame.newPassword}
        hint={t.frame.passwordLength}
        error={isShort ? t.frame.tooShort : undefined}
        autoComplete="new-password"
        required
        value={next}
        onValue={setNext}
      />
    </Form>
  );
}

import { HoldfastError } from '../../api/client.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { ErrorNotice, Notice } from '../../ui/notice.js';
import type { SignIn } from './use-sign-in.js';

export const Submit = ({
  signing: { isBusy, seconds },
  disabled,
}: {
  signing: SignIn;
  disabled: boolean;
}) => (
  <Button type="submit" look="primary" wide busy={isBusy} disabled={seconds > 0 || disabled}>
    {t.frame.signIn}
  </Button>
);

export function SignInError({ seconds, error }: { seconds: number; error: unknown }) {
  if (seconds > 0) return <Notice kind="warning">{t.frame.tooMany(seconds)}</Notice>;
  if (!error) return null;
  const isWrong = error instanceof HoldfastError && error.code === 'credentials_wrong';
  return isWrong ? (
    <Notice kind="error" live>
      {t.frame.wrongSignIn}
    </Notice>
  ) : (
    <ErrorNotice error={error} />
  );
}

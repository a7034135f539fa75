import { useState } from 'preact/hooks';
import { HoldfastError } from '../../api/client.js';
import { canUsePasskeys } from '../../api/passkeys.js';
import type { SecondFactorDue } from '../../hub/protocol.js';
import { t } from '../../i18n/messages.js';
import { Button } from '../../ui/button.js';
import { Stack } from '../../ui/layout.js';
import { SignInError, Submit } from '../sign-in/submit.js';
import { passkeyStep, type SignIn } from '../sign-in/use-sign-in.js';
import { CodeField } from './code-field.js';

interface StepProps {
  due: SecondFactorDue;
  signing: SignIn;
  /** Back to the password. */
  onOver: () => void;
}

/** After the password. */
export default function SecondStep({ due: { challenge, methods }, signing, onOver }: StepProps) {
  const { signIn, error, setError, isBusy, seconds } = signing;
  const ways = methods.filter((way) => way !== 'passkey' || canUsePasskeys());
  const [way, setWay] = useState(ways[0]);
  const [code, setCode] = useState('');
  const refused = (reason: unknown) => {
    setCode('');
    if (reason instanceof HoldfastError && reason.code === 'sign_in_step_over') onOver();
  };
  const choose = (next: typeof way) => {
    setWay(next);
    setCode('');
    setError(null);
  };
  const usePasskey = () => signIn(() => passkeyStep({ challenge }), refused);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (seconds === 0) void signIn({ step: '/totp', body: { challenge, code } }, refused);
      }}
    >
      <Stack>
        {way === 'totp' || way === 'recovery_code' ? (
          <CodeField key={way} isRecovery={way === 'recovery_code'} value={code} onValue={setCode} />
        ) : (
          <p>{way ? t.account.passkeyLead : t.account.noWayHere}</p>
        )}
        <SignInError seconds={seconds} error={error} />
        {way === 'passkey' ? (
          <Button wide look="primary" busy={isBusy} disabled={seconds > 0} onClick={() => void usePasskey()}>
            {t.frame.usePasskey}
          </Button>
        ) : (
          way && <Submit signing={signing} disabled={code.trim() === ''} />
        )}
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} wide look="quiet" disabled={isBusy} onClick={() => choose(other)}>
              {t.account.ways[other]}
            </Button>
          ))}
        <Button
          wide
          look="quiet"
          disabled={isBusy}
          onClick={() => {
            setError(null);
            onOver();
          }}
        >
          {t.account.startAgain}
        </Button>
      </Stack>
    </form>
  );
}

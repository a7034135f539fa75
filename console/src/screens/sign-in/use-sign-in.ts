import { useState } from 'preact/hooks';
import { HoldfastError } from '../../api/client.js';
import { webAuthn } from '../../api/passkeys.js';
import { ask, user as signedIn } from '../../hub/link.js';
import type { SignInStep } from '../../hub/protocol.js';
import { t } from '../../i18n/messages.js';
import { navigations } from '../../shell/navigation.js';
import { useCountdown } from '../../ui/use-countdown.js';

export type SignIn = ReturnType<typeof useSignIn>;

/** Asks the service, and counts down the time it wants to be left alone. */
export function useSignIn() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [seconds, wait] = useCountdown();
  const [said, say] = useState('');
  /** `next`: the step, or what leads to it. Calls `onRefused` if it fails. */
  const signIn = async (
    next: SignInStep | (() => Promise<SignInStep>),
    onRefused: (reason: unknown) => void = () => undefined,
  ) => {
    setBusy(true);
    setError(null);
    say('');
    try {
      const user = await ask('signIn', typeof next === 'function' ? await next() : next);
      navigations.isSignIn = true;
      signedIn.set(user);
    } catch (reason) {
      setError(reason);
      onRefused(reason);
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
  return { signIn, error, setError, isBusy, seconds, said };
}

/** With the challenge of a second factor, or alone. */
export async function passkeyStep(given: { challenge?: string; remember?: boolean }): Promise<SignInStep> {
  const [{ askPasskey }, { challenge, options }] = await Promise.all([
    webAuthn(),
    ask('passkeyOptions', given.challenge ? { challenge: given.challenge } : {}),
  ]);
  const response = await askPasskey(options);
  return { step: '/passkey', body: { challenge, response, ...(given.remember && { remember: true }) } };
}

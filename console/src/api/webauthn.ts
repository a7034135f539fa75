import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { loadMore, t } from '../i18n/messages.js';

type Options = Record<string, unknown>;

/** Of an authenticator that the browser offers. Rejects with a sentence. */
export const createPasskey = (options: Options): Promise<object> =>
  inWords(() => startRegistration({ optionsJSON: options as never }));

export const askPasskey = (options: Options): Promise<object> =>
  inWords(() => startAuthentication({ optionsJSON: options as never }));

async function inWords(work: () => Promise<object>): Promise<object> {
  await loadMore();
  try {
    return await work();
  } catch (reason) {
    const { name, message } = reason as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') throw new Error(t.account.passkeyNotUsed);
    if (name === 'InvalidStateError') throw new Error(t.account.passkeyKnown);
    throw new Error(t.account.passkeyFailed(message));
  }
}

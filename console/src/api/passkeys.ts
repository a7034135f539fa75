/** Browsers have passkeys for names only, and over HTTPS. */
export const canUsePasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in globalThis && !/^\[|^[\d.]+$/.test(location.hostname);

/** Their library is loaded with the first use. */
export const webAuthn = () => import('./webauthn.js');

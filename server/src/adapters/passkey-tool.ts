import type { Credential, PasskeyTool } from '@holdfast/core/server';
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** Loaded with the first use: it is large, and most installations never need it. */
const library = () => import('@simplewebauthn/server');

const hostOf = (origin: string) => new URL(origin).hostname;
const told = ({ id, transports }: Credential) => ({ id, transports });
const inBase64 = (text: string) => Buffer.from(text).toString('base64url');

export const passkeyTool: PasskeyTool = {
  async creation({ origin, challenge, username, userHandle, known }) {
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: 'Holdfast',
      rpID: hostOf(origin),
      userName: username,
      userID: new Uint8Array(userHandle),
      challenge,
      excludeCredentials: known.map(told),
      // Security keys without a PIN are good as second factor.
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return { ...options };
  },

  async created({ origin, challenge, response }) {
    const { verifyRegistrationResponse } = await library();
    const checked = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: inBase64(challenge),
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      requireUserVerification: false,
    }).catch(() => null);
    return checked?.verified ? credentialOf(checked.registrationInfo) : null;
  },

  async request({ origin, challenge, known, verifiesUser }) {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: hostOf(origin),
      challenge,
      userVerification: verifiesUser ? 'required' : 'preferred',
      ...(known && { allowCredentials: known.map(told) }),
    });
    return { ...options };
  },

  async answered({ origin, challenge, response, credential, verifiesUser }) {
    const { verifyAuthenticationResponse } = await library();
    const { id, public_key } = credential;
    const checked = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: inBase64(challenge),
      expectedOrigin: origin,
      expectedRPID: hostOf(origin),
      credential: { id, publicKey: Buffer.from(public_key, 'base64url'), counter: 0 },
      requireUserVerification: verifiesUser,
    }).catch(() => null);
    return checked?.verified ? checked.authenticationInfo.newCounter : null;
  },
};

type Registered = NonNullable<Awaited<ReturnType<typeof verifyRegistrationResponse>>['registrationInfo']>;

const credentialOf = ({ credential }: Registered): Credential => ({
  id: credential.id,
  public_key: Buffer.from(credential.publicKey).toString('base64url'),
  counter: credential.counter,
  transports: credential.transports ?? [],
});

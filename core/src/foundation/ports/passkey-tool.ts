/** The address at which a browser shows the console. */
export interface Site {
  /** Scheme, name and port. Passkeys belong to the name. */
  origin: string;
}

/** A WebAuthn credential. Binary values are base64url. */
export interface Credential {
  id: string;
  public_key: string;
  counter: number;
  transports: string[];
}

/** What a browser passes to an authenticator, or gets from it, as JSON. */
export type WebAuthnJson = Record<string, unknown>;

/** WebAuthn. `challenge` is any text: the browser gets and returns it as base64url of its UTF-8. */
export interface PasskeyTool {
  /** To create one. `known` can't be created again by the same authenticator. */
  creation(
    wanted: Site & {
      challenge: string;
      username: string;
      userHandle: Uint8Array;
      known: readonly Credential[];
    },
  ): Promise<WebAuthnJson>;
  /** Null: the answer is not valid. */
  created(answer: Site & { challenge: string; response: WebAuthnJson }): Promise<Credential | null>;
  /** To use one of `known`; without them, any that the authenticator offers. */
  request(
    wanted: Site & { challenge: string; known?: readonly Credential[]; verifiesUser: boolean },
  ): Promise<WebAuthnJson>;
  /** The counter of the authenticator; null: the answer is not valid. The caller compares the counter. */
  answered(
    answer: Site & {
      challenge: string;
      response: WebAuthnJson;
      credential: Credential;
      verifiesUser: boolean;
    },
  ): Promise<number | null>;
}

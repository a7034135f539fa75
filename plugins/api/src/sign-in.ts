/** The API for sign-in plugins: they let people sign in at another place, such as an identity provider. */

export interface SignInStart {
  /** Where the browser comes back to, with what the provider adds to its query. The same for each sign-in. */
  callback: string;
  /** The person must authenticate again, even if the provider still knows them. */
  fresh: boolean;
  signal: AbortSignal;
}

export interface SignInCallback {
  /** The address that the browser came back with. */
  url: string;
  /** What `begin` of this sign-in returned. */
  kept: string;
  /** Of the request, by name in lower case, if a proxy in TRUST_PROXY sent it; otherwise empty. */
  proxyHeaders: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** A person, as the provider describes them. Nothing is taken from it but this. */
export interface SignedIn {
  /** Never changes, and is never given to another person: not an e-mail address, nor a name that can be changed. */
  subject: string;
  userName: string;
  displayName: string | null;
  /** Null unless the provider has verified that it belongs to the person. */
  email: string | null;
  groups: readonly string[];
  /** What `end` needs later, at most 8 kB. It is stored encrypted. */
  logout?: string;
}

/**
 * Signs people in by sending their browser to another place. Rejects with SignInRefused when the person is not signed
 * in, and with any other error when nobody could tell; both have one sentence, without secrets.
 *
 * The host lets one browser finish each sign-in once, within ten minutes. Everything else is for the plugin to check.
 */
export interface SignInProvider {
  /** Of the button, after "Sign in with". */
  label: string;
  /** Part of each identity: who answers for the subjects. It stays the same while they do. */
  issuer: string;
  /** `kept` has what `finish` compares with, at most 4 kB. The host keeps it; nobody else sees it. */
  begin(request: SignInStart): Promise<{ redirect: string; kept: string }>;
  finish(callback: SignInCallback): Promise<SignedIn>;
  /** Optional: the address that ends the session at the provider too, and then leads to `backTo`. */
  end?(logout: string, backTo: string): Promise<string | null>;
}

/** Small services that core needs; adapters in the server implement them. */

/** Seals secrets for storage (AES-256-GCM envelope with a key id). `open` throws on a wrong key or a changed envelope. */
export interface SecretBox {
  /** The envelope is bound to `purpose`: it can't be opened for another one. */
  seal(purpose: string, plain: string): string;
  open(purpose: string, envelope: string): string;
}

export interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** Replaces every registered secret in a text by `***`. */
export interface Redactor {
  /**
   * Registers a secret until `release` is called. Registrations are counted: two of them need two releases.
   */
  protect(secret: string): { release(): void };
  redact(text: string): string;
}

/** Small services of the host that core uses; the server's adapters fill them. */

/** Seals secrets for storage (AES-256-GCM envelope with a key id). `open` throws on a wrong key or a changed envelope. */
export interface SecretBox {
  /** `purpose` is bound to the envelope: one sealed for another purpose does not open. */
  seal(purpose: string, plain: string): string;
  open(purpose: string, envelope: string): string;
}

export interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** Replaces every registered secret in a text by `***`. */
export interface Redactor {
  /** Registers a secret for as long as `release` is not called. Counted: two registrations need two releases. */
  protect(secret: string): { release(): void };
  redact(text: string): string;
}

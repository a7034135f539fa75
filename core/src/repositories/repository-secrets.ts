import type { RepositorySecrets } from './repository-target.rules.js';
import type { Redactor, SecretBox } from '../ports/services.js';
import type { RepositoryRow } from '../schema/tables.js';

type Sealed = Pick<RepositoryRow, 'passphrase' | 'key_file'>;

/** Envelopes are bound to the repository's uid: one copied into another row does not open. */
const purposes = (uid: string) => ({ passphrase: `passphrase:${uid}`, keyFile: `keyfile:${uid}` });

export function sealSecrets(box: SecretBox, uid: string, secrets: RepositorySecrets): Sealed {
  const purpose = purposes(uid);
  const { passphrase, keyFile } = secrets;
  return {
    passphrase: passphrase === null ? null : box.seal(purpose.passphrase, passphrase),
    key_file: keyFile === null ? null : box.seal(purpose.keyFile, keyFile),
  };
}

export function openSecrets(box: SecretBox, row: Sealed & Pick<RepositoryRow, 'uid'>): RepositorySecrets {
  const purpose = purposes(row.uid);
  return {
    passphrase: row.passphrase === null ? null : box.open(purpose.passphrase, row.passphrase),
    keyFile: row.key_file === null ? null : box.open(purpose.keyFile, row.key_file),
  };
}

/**
 * Registers the passphrase and each line of the key file, for texts are redacted line by line. Returns the
 * release.
 */
export function protectSecrets(redactor: Redactor, { passphrase, keyFile }: RepositorySecrets): () => void {
  const lines = (keyFile ?? '').split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('BORG_KEY '));
  const texts = passphrase ? [passphrase, ...lines] : lines;
  const held = texts.map((text) => redactor.protect(text));
  return () => {
    for (const each of held) each.release();
  };
}

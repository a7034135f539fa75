import { randomUUID } from 'node:crypto';
import { isStoreError, type StorageSession } from '@holdfast/plugin-api';
import { conflict, say } from '../../foundation/kernel/index.js';
import type { SshKeyPair } from '../../foundation/ports/key-tool.js';
import type { SshNeeds } from './needs.js';
import { findSystemKey, privateKeyPurpose } from './system-key.js';
import { type SshKeyRow, sshKeys } from './tables.js';

const keyExists = (cause?: unknown) =>
  conflict(
    say`ssh_key_exists: A system key already exists: delete it first, then generate or import the new one.`,
    { cause },
  );

/** Throws AppError `conflict`. */
export async function refuseSecondKey(session: StorageSession): Promise<void> {
  if (await findSystemKey(session)) throw keyExists();
}

export interface NamedPair {
  name: string;
  description?: string | null | undefined;
  pair: SshKeyPair;
}

/**
 * Stores the pair as the system key, with the private key sealed. Throws AppError `conflict` when there is a
 * key.
 */
export async function storeKey(
  { secrets, clock }: SshNeeds,
  session: StorageSession,
  { name, description, pair }: NamedPair,
): Promise<SshKeyRow> {
  const now = clock.now();
  const uid = randomUUID();
  try {
    return await session.insert(sshKeys, {
      uid,
      name,
      description: description || null,
      key_type: pair.type,
      public_key: pair.publicKey,
      fingerprint: pair.fingerprint,
      private_key: secrets.seal(privateKeyPurpose(uid), pair.privateKey),
      created_at: now,
      updated_at: now,
    });
  } catch (error) {
    throw isStoreError(error, 'unique') ? keyExists(error) : error;
  }
}

import type { Entity, StorageBackend, StorageSession, Where } from '@holdfast/plugin-api';
import { leaveWithoutKey } from '../../backup/ssh/index.js';
import { readAuditHead, stateOfRows, writeAuditHead } from '../../foundation/audit/index.js';
import { inTransaction, say } from '../../foundation/kernel/index.js';
import { sealServiceUrl } from '../../insight/notifications/index.js';
import { type KeyCheck, nameOfSecret, rememberSecretKey } from './key-check.js';
import { pagesOf } from './move-storage.js';
import { envelopesIn, opensIn, purposesIn, type SealedPlace, sealedPlaces } from './reseal-secrets.js';

type Row = Record<string, unknown>;

interface Lost {
  place: SealedPlace;
  row: Row;
  /** Property paths of the envelopes in the value that the key cannot decrypt. */
  paths: string[][];
}

export interface Forgetting extends KeyCheck {
  storage: StorageBackend;
  /** Rejects when another process uses the storage. Called within the transaction. */
  refuseUsers(session: StorageSession): Promise<void>;
}

/** The names of all secrets that the key cannot decrypt. Changes nothing. */
export async function findLostSecrets(work: KeyCheck): Promise<string[]> {
  const found: string[] = [];
  for await (const lost of lostIn(work)) found.push(...namesOf(lost));
  return [...new Set(found)];
}

/**
 * Removes every secret that the key cannot decrypt and makes this key the one of the storage, all or nothing.
 * The audit trail continues after its newest entry. Returns the names of the removed secrets.
 */
export function forgetSecrets(work: Forgetting): Promise<string[]> {
  return inTransaction(work.storage, async (session) => {
    await work.refuseUsers(session);
    const found: string[] = [];
    for await (const lost of lostIn({ ...work, storage: session })) {
      found.push(...namesOf(lost));
      await forget(session, work, lost);
    }
    await rememberSecretKey(session, work.secrets);
    return [...new Set(found)];
  });
}

async function* lostIn({ storage, secrets, isEnvelope }: KeyCheck): AsyncGenerator<Lost> {
  const purposesOf = await purposesIn(storage);
  for (const place of sealedPlaces) {
    for await (const page of pagesOf(storage, place.entity)) {
      for (const row of page as Row[]) {
        const paths = [...envelopesIn(row[place.column], isEnvelope)]
          .filter(({ text, path }) => {
            const purposes = purposesOf(place, row, path);
            // Without its script, the purpose of a parameter is unknown, whatever the key.
            return purposes.length > 0 && !opensIn(secrets, purposes, text);
          })
          .map(({ path }) => path);
        if (paths.length > 0) yield { place, row, paths };
      }
    }
  }
}

const isKeyCheck = ({ place, row }: Lost) => place.entity.name === 'setting' && row.key === 'key_check';
const namesOf = (lost: Lost): string[] =>
  isKeyCheck(lost) ? [] : lost.paths.map((path) => nameOfSecret(lost.place, lost.row, path));

const withoutKey = say`connection_key_lost: The SSH key was lost with the secret key: create a new one and deploy it to this host.`;

async function forget(session: StorageSession, { secrets }: Forgetting, lost: Lost): Promise<void> {
  const { place, row } = lost;
  const { entity, column } = place;
  const where = { id: row.id } as Where<Entity>;
  switch (entity.name) {
    case 'audit_head': {
      const head = await readAuditHead(session, secrets);
      return writeAuditHead(session, { row: head.row, state: await stateOfRows(session), secrets });
    }
    case 'ssh_key': {
      await leaveWithoutKey(session, Number(row.id), withoutKey);
      await session.remove(entity, where);
      return;
    }
    case 'notification_setting': {
      const { service_url } = sealServiceUrl(secrets, String(row.uid), '');
      await session.update(entity, where, { service_url, enabled: false } as object);
      return;
    }
    default: {
      const left = without(row[column], lost.paths);
      const isRequired = left === null && !entity.columns[column]?.nullable;
      if (isRequired) await session.remove(entity, where);
      else await session.update(entity, where, { [column]: left } as object);
    }
  }
}

/** The value without the given paths; null when nothing remains. */
function without(value: unknown, paths: readonly string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return null;
  const remaining = Object.entries(value as Row).flatMap(([name, inner]): [string, unknown][] => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    // A parameter is the object around its envelope.
    const isGone = below.some((path) => path.length === 0 || (path.length === 1 && path[0] === 'sealed'));
    if (isGone) return [];
    return [[name, below.length === 0 ? inner : without(inner, below)]];
  });
  return Array.isArray(value) ? remaining.map(([, inner]) => inner) : Object.fromEntries(remaining);
}

import type { QuickSetup } from '@holdfast/contracts';
import { AppError, invalid, isRemoteHostError, type RemoteHostError } from '../kernel/errors.js';
import type { SshKeyPair } from '../ports/key-tool.js';
import { inTransaction } from '../kernel/in-transaction.js';
import type { SshKeyRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type Address, findByAddress, keepConnection } from './connection-row.js';
import { type KeySetupNeeds, keyComment } from './generate-key.js';
import { installNewKey } from './install-key.js';
import type { KeyTurn } from './key-turn.js';
import { refuseSecondKey, storeKey } from './store-key.js';
import { viewConnection } from './view-connection.js';
import { viewKey } from './view-key.js';
import { publishKeyFiles } from './write-key-files.js';

type Needs = KeySetupNeeds & Pick<Dependencies, 'remoteHost' | 'redactor'>;

/**
 * Makes the system key, copies it to a host, and connects. Nothing is stored before all of it worked. AppError
 * `conflict` when there is a key; `invalid` for what the person can correct; `unavailable` for the host.
 */
export const quickSetup = (needs: Needs, turn: KeyTurn) => (input: QuickSetup) =>
  turn(async () => {
    const { storage, keyTool } = needs;
    const target = input.skip_deployment ? null : targetOf(input);
    await refuseSecondKey(storage);
    const pair = await keyTool.generate(input.key_type, keyComment);
    const { key, connectionId } = target
      ? await install(needs, { input, target, pair })
      : await store(needs, { input, target, pair, hostKey: null });
    await publishKeyFiles(needs, key);
    const ssh_key = await viewKey(storage, key);
    const success = true as const;
    if (!target || connectionId === null) {
      return { success, message: `SSH key ${key.name} was made.`, ssh_key };
    }
    const message = `SSH key ${key.name} was made and opens ${target.username}@${target.host}.`;
    return { success, message, ssh_key, connection: await viewConnection(storage, connectionId) };
  });

type Target = Address & { password: string };

function targetOf({ host, username, port, password }: QuickSetup): Target {
  const missing = Object.entries({ host, username, password }).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (host === undefined || username === undefined || password === undefined) {
    throw invalid(`Send ${missing.join(', ')} too, or set skip_deployment to make the key only.`);
  }
  return { host, username, port, password };
}

interface Setup {
  input: QuickSetup;
  target: Target;
  pair: SshKeyPair;
}

async function install(needs: Needs, { input, target, pair }: Setup): Promise<Stored> {
  const known = await findByAddress(needs.storage, target);
  const installation = {
    address: {
      ...target,
      hostKey: known?.host_key ?? null,
      expectedFingerprint: input.host_key_fingerprint,
    },
    password: target.password,
    key: pair,
    sftp: input.use_sftp_mode,
    restrict: input.restrict,
  };
  try {
    return await installNewKey(needs, installation, ({ hostKey }) =>
      store(needs, { input, target, pair, hostKey }),
    );
  } catch (error) {
    throw isRemoteHostError(error) ? setupFailure(error) : error;
  }
}

/** A wrong password or fingerprint is the caller's; what else a host refuses may work another time. */
function setupFailure(error: RemoteHostError): AppError {
  const cause = error;
  const wrongInput = error.kind === 'authentication' || error.kind === 'host_key_changed';
  return wrongInput
    ? invalid(error.message, { cause })
    : new AppError('unavailable', error.message, { cause });
}

interface Stored {
  key: SshKeyRow;
  connectionId: number | null;
}

const store = (
  needs: Needs,
  { input, target, pair, hostKey }: Omit<Setup, 'target'> & { target: Target | null; hostKey: string | null },
): Promise<Stored> =>
  inTransaction(needs.storage, async (session) => {
    const { name, description } = input;
    const key = await storeKey(needs, session, { name, description, pair });
    if (!target) return { key, connectionId: null };
    const now = needs.clock.now();
    const patch = {
      ...{ ssh_key_id: key.id, status: 'connected' as const, last_test: now, last_success: now },
      ...{ error_message: null, host_key: hostKey, offered_host_key: null },
    };
    const { id } = await keepConnection(session, { address: target, usage: input, now, patch });
    return { key, connectionId: id };
  });

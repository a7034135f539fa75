import type { KeyDeploymentRequest, KeyRedeployment, QuickSetup } from '@holdfast/contracts';
import {
  AppError,
  type Caller,
  errorColumns,
  forbidden,
  inTransaction,
  invalid,
  isRemoteHostError,
  messageOf,
  type RemoteHostError,
  say,
} from '../../foundation/kernel/index.js';
import type { SshKeyPair } from '../../foundation/ports/key-tool.js';
import type { Allowed } from '../../foundation/ports/remote-host.js';
import { changeConnections } from './change-connections.js';
import { findConnection, jumpAccount } from './connection-access.js';
import {
  type Address,
  findByAddress,
  reportTakenAddress,
  saveConnection,
  viewConnection,
} from './connections.js';
import { installKey, installNewKey, type KeyTurn, type Restriction } from './install-key.js';
import { type KeySetupNeeds, keyComment, publishKeyFiles, viewKey } from './keys.js';
import type { SshNeeds } from './needs.js';
import { recordConnectionUse } from './record-connection-use.js';
import { refuseSecondKey, storeKey } from './store-key.js';
import { findKey, openPrivateKey, usableKey } from './system-key.js';
import type { SshConnectionRow, SshKeyRow } from './tables.js';
import { keyWorks, tried } from './test-connection.js';

type Needs = KeySetupNeeds & SshNeeds;

/**
 * Generates the system key, copies it to a host, and connects. Nothing is stored until all of it worked.
 * Throws AppError `conflict` when there is a key; `invalid` for wrong input; `unavailable` when the host
 * fails.
 */
export function quickSetup(needs: Needs, turn: KeyTurn, input: QuickSetup) {
  return turn(async () => {
    const { storage, keyTool } = needs;
    const target = input.skip_deployment ? null : targetOf(input);
    await refuseSecondKey(storage);
    const pair = await keyTool.generate(input.key_type, keyComment);
    const { key, connectionId } = target
      ? await install(needs, { input, target, pair })
      : await store(needs, { input, target, pair, hostKey: null, allows: null });
    await publishKeyFiles(needs, key);
    const ssh_key = await viewKey(storage, key);
    const success = true as const;
    if (!target || connectionId === null) {
      return { success, message: `SSH key ${key.name} was created.`, ssh_key };
    }
    const message = `SSH key ${key.name} was created and works for ${target.username}@${target.host}.`;
    return { success, message, ssh_key, connection: await viewConnection(storage, connectionId) };
  });
}

type Target = Address & { password: string };

function targetOf({ host, username, port, password }: QuickSetup): Target {
  const missing = Object.entries({ host, username, password }).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (host === undefined || username === undefined || password === undefined) {
    throw invalid(
      say`deployment_fields_missing: Send ${{ fields: missing }} too, or set skip_deployment to create only the key.`,
    );
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
    return await installNewKey(needs, installation, ({ hostKey, allows }) =>
      store(needs, { input, target, pair, hostKey, allows }),
    );
  } catch (error) {
    throw isRemoteHostError(error) ? setupFailure(error) : error;
  }
}

/** A wrong password or fingerprint is wrong input; any other failure of the host may be temporary. */
function setupFailure(error: RemoteHostError): AppError {
  const message = messageOf(error);
  const cause = error;
  const wrongInput = error.kind === 'authentication' || error.kind === 'host_key_changed';
  return wrongInput ? invalid(message, { cause }) : new AppError('unavailable', message, { cause });
}

interface StoredSetup {
  target: Target | null;
  hostKey: string | null;
  allows: Allowed | null;
}

interface Stored {
  key: SshKeyRow;
  connectionId: number | null;
}

const store = (
  needs: Needs,
  { input, target, pair, hostKey, allows }: Omit<Setup, 'target'> & StoredSetup,
): Promise<Stored> =>
  inTransaction(needs.storage, async (session) => {
    const { name, description } = input;
    const key = await storeKey(needs, session, { name, description, pair });
    if (!target) return { key, connectionId: null };
    const now = needs.clock.now();
    const patch = {
      ssh_key_id: key.id,
      status: 'connected' as const,
      last_test: now,
      last_success: now,
      ...errorColumns(null),
      host_key: hostKey,
      allows,
      offered_host_key: null,
    };
    const { id } = await saveConnection(session, needs.events, { address: target, usage: input, now, patch });
    return { key, connectionId: id };
  });

/**
 * Copies the key to a host. The connection is stored in any case; its status shows the result. Throws
 * AppError `not_found` for any key but the system key.
 */
export async function deployKey(
  needs: DeploymentNeeds,
  caller: Caller,
  keyId: number,
  input: KeyDeploymentRequest,
) {
  const { storage, clock } = needs;
  await findKey(storage, keyId);
  if (input.jump_connection_id != null && !caller.isAdmin)
    throw forbidden(say`jump_needs_admin: Only administrators can choose a jump host.`);
  const key = await usableKey(storage);
  const save = () =>
    inTransaction(storage, (session) =>
      saveConnection(session, needs.events, {
        address: input,
        usage: input,
        mayChange: caller.isAdmin,
        now: clock.now(),
        patch: { ssh_key_id: key.id },
      }),
    );
  const connection = await reportTakenAddress(save);
  const error = await tryDeployment(needs, {
    connection,
    key,
    password: input.password,
    expectedFingerprint: input.host_key_fingerprint,
    restrict: input.restrict,
  });
  return tried(storage, { id: connection.id, error, done: keyWorks(input) });
}

/**
 * Copies the current system key to the host of a connection. Throws AppError `not_found` for connection or
 * key.
 */
export async function redeployKey(
  needs: DeploymentNeeds,
  id: number,
  { password, restrict }: KeyRedeployment,
) {
  const { storage } = needs;
  const connection = await findConnection(storage, id);
  const key = await usableKey(storage);
  const error = await tryDeployment(needs, { connection, key, password, restrict });
  const { username, host } = connection;
  const done = say`connection_works_again: The key works for ${{ account: `${username}@${host}` }} again.`;
  return tried(storage, { id, error, done });
}

export type DeploymentNeeds = SshNeeds;

interface Deployment {
  connection: SshConnectionRow;
  key: SshKeyRow;
  password: string;
  expectedFingerprint?: string | undefined;
  restrict?: Restriction | undefined;
}

/** Installs the key on the host of a stored connection and records the result. Returns the error, or null. */
async function tryDeployment(
  needs: DeploymentNeeds,
  { connection, key, ...how }: Deployment,
): Promise<RemoteHostError | null> {
  const { clock } = needs;
  const { id, host, port, username, host_key: hostKey, use_sftp_mode: sftp } = connection;
  const privateKey = openPrivateKey(needs, key);
  const jump = await jumpAccount(needs.storage, connection, privateKey);
  await changeConnections(needs, { id }, { status: 'testing', last_test: clock.now() });
  const pair = { publicKey: key.public_key, privateKey };
  const address = { host, port, username, hostKey, jump, expectedFingerprint: how.expectedFingerprint };
  try {
    const seen = await installKey(needs, { ...how, address, key: pair, sftp });
    const use = {
      at: clock.now(),
      error: null,
      hostKey: seen.hostKey,
      allows: seen.allows,
      tested: true,
      keyId: key.id,
    };
    await recordConnectionUse(needs, id, use);
    return null;
  } catch (error) {
    if (!isRemoteHostError(error)) {
      await changeConnections(needs, { id, status: 'testing' }, { status: connection.status });
      throw error;
    }
    await recordConnectionUse(needs, id, { at: clock.now(), error, tested: true });
    return error;
  }
}

import { writeFile } from 'node:fs/promises';
import {
  connectedDriver,
  fileDeliveries,
  findInstallation,
  makeEventBus,
  recoveryUseCases,
  type SecretBox,
  type SheetFormat,
  withoutRemoved,
} from '@holdfast/core/server';
import type { StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import { makeRedactor } from '../adapters/redactor.js';
import { sheetPress } from '../adapters/sheet/index.js';
import { makeSshFiles } from '../adapters/ssh-key-files.js';
import { keyTool } from '../adapters/ssh-key-pair.js';
import { ssh2RemoteHost } from '../adapters/ssh2-remote-host/index.js';
import { systemClock } from '../adapters/system-clock.js';
import type { Configuration } from '../config.js';
import { serverVersion } from '../server-version.js';
import { askSecret } from './ask.js';
import { noteCommand, secretsOf } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { CommandError } from './exit.js';
import { quietLog } from './quiet-log.js';
import { hostOf, requireCurrentSchema } from './with-storage.js';

interface Options {
  format: SheetFormat;
  withSecrets?: boolean;
  sealed?: boolean;
  output?: string;
}

const shortestPassphrase = 8;

/** Reads the same as the service, and may run beside it: the tool takes no lock for a key. */
export async function recoverySheet(options: Options): Promise<number> {
  const configuration = configurationOfProcess();
  const { format, withSecrets: secrets = false, sealed, output } = options;
  if (output === undefined && process.stdout.isTTY && (sealed || format === 'pdf'))
    throw new CommandError(
      'This is no text for a terminal. Add --output, or --format text without --sealed.',
    );
  const sealPassphrase = sealed ? await askPassphrase() : undefined;
  const host = await hostOf(configuration);
  await requireCurrentSchema(host);
  await host.start(secrets ? ['storage', 'driver'] : ['storage']);
  try {
    const storage = withoutRemoved(host.ports.storage);
    const box = await secretsOf(storage, configuration);
    const parts = { storage, secrets: box, driver: host.ports.driver, configuration };
    const recovery = recoveryUseCases(await needsOf(parts));
    const sheet = await recovery.makeSheet(null, { format, secrets, sealPassphrase });
    const more = secrets ? ' With secrets.' : ' Masked.';
    await noteCommand({ storage, secrets: box }, 'commandRecoverySheet', { more });
    await write(sheet.content, output);
    for (const name of sheet.lacking)
      console.error(`A secret of repository ${name} is not on the sheet; it says why.`);
    return 0;
  } finally {
    await host.stop();
  }
}

async function askPassphrase(): Promise<string> {
  const passphrase = await askSecret('Passphrase of the sheet');
  if (passphrase.length >= shortestPassphrase) return passphrase;
  throw new CommandError(`The passphrase must have at least ${shortestPassphrase} characters.`);
}

async function write(content: Uint8Array, output: string | undefined): Promise<void> {
  if (output === undefined) {
    await new Promise<void>((resolve) => process.stdout.write(content, () => resolve()));
    return;
  }
  await writeFile(output, content, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Can't write ${output} (${error.code}).`);
  });
}

interface Parts {
  storage: StorageBackend;
  secrets: SecretBox;
  driver: BackupDriver;
  configuration: Configuration;
}

async function needsOf({ storage, secrets, driver, configuration }: Parts) {
  const common = { storage, secrets, clock: systemClock, log: quietLog };
  const ssh = {
    ...common,
    ...{ remoteHost: ssh2RemoteHost, sshFiles: makeSshFiles(configuration), keyTool },
    events: makeEventBus({ clock: systemClock, log: quietLog, fileMessages: fileDeliveries }),
  };
  return {
    ...{ ...common, driver: connectedDriver(driver, ssh), redactor: makeRedactor() },
    ...{ sheetPress, serverVersion, settings: { installation: await findInstallation(storage) } },
  };
}

import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askSecret } from '@holdfast/cli/service';
import {
  connectedDriver,
  fileDeliveries,
  findInstallation,
  makeEventBus,
  makeSheet,
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
import { serverVersion } from '../server-version.js';
import { noteCommand, secretsOf } from './audit-note.js';
import { configurationOfProcess } from './environment.js';
import { print } from './exchange/write-private.js';
import { CommandError } from './exit.js';
import { folderForPlugins } from './folder-for-plugins.js';
import { quietLog } from './quiet-log.js';
import { hostOf, requireCurrentSchema } from './with-storage.js';

interface Options {
  format: SheetFormat;
  withSecrets?: boolean;
  sealed?: boolean;
  output?: string;
}

const shortestPassphrase = 8;

/**
 * Reads the same data as the service and may run next to it: the tool takes no lock to read a key. Files for
 * ssh and plugins are written to a temporary folder.
 */
export async function recoverySheet(options: Options): Promise<number> {
  const configuration = configurationOfProcess();
  const { format, withSecrets: secrets = false, sealed, output } = options;
  if (output === undefined && process.stdout.isTTY && (sealed || format === 'pdf'))
    throw new CommandError(
      'This is not text for a terminal. Add --output, or --format text without --sealed.',
    );
  const sealPassphrase = sealed ? await askPassphrase() : undefined;
  const plugins = await folderForPlugins(configuration);
  const scratch = await mkdtemp(join(tmpdir(), 'holdfast-sheet-'));
  const host = await hostOf({ ...configuration, dataDirectory: plugins.dataDirectory });
  try {
    await requireCurrentSchema(host);
    await host.start(secrets ? ['storage', 'driver'] : ['storage']);
    const storage = withoutRemoved(host.ports.storage);
    const box = await secretsOf(storage, configuration);
    const file = output === undefined ? null : await newFile(output);
    try {
      const parts = { storage, secrets: box, driver: host.ports.driver, scratch };
      const sheet = await makeSheet(await needsOf(parts), null, { format, secrets, sealPassphrase });
      const more = secrets ? ' With secrets.' : ' Masked.';
      await noteCommand({ storage, secrets: box }, 'commandRecoverySheet', { more });
      if (file) await file.writeFile(sheet.content);
      else await print(sheet.content);
      for (const name of sheet.lacking)
        console.error(`A secret of repository ${name} is not on the sheet; the sheet says why.`);
    } catch (error) {
      if (output !== undefined) await rm(output, { force: true });
      throw error;
    } finally {
      await file?.close();
    }
    return 0;
  } finally {
    await host.stop();
    await plugins.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function askPassphrase(): Promise<string> {
  const passphrase = await askSecret('Passphrase of the sheet');
  if (passphrase.length >= shortestPassphrase) return passphrase;
  throw new CommandError(`The passphrase must have at least ${shortestPassphrase} characters.`);
}

/** Before the work, so that no sheet counts as made that could not be written. */
const newFile = (path: string) =>
  open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Can't write ${path} (${error.code}).`);
  });

interface Parts {
  storage: StorageBackend;
  secrets: SecretBox;
  driver: BackupDriver;
  /** For the files of ssh. */
  scratch: string;
}

async function needsOf({ storage, secrets, driver, scratch }: Parts) {
  const common = { storage, secrets, clock: systemClock, log: quietLog };
  const ssh = {
    ...common,
    remoteHost: ssh2RemoteHost,
    sshFiles: makeSshFiles({ sshDirectory: scratch, dataDirectory: scratch }),
    keyTool,
    events: makeEventBus({ clock: systemClock, log: quietLog, fileMessages: fileDeliveries }),
  };
  return {
    ...common,
    driver: connectedDriver(driver, ssh),
    redactor: makeRedactor(),
    sheetPress,
    serverVersion,
    settings: { installation: await findInstallation(storage) },
  };
}

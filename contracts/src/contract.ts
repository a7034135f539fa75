import { initContract } from '@ts-rest/core';
import { archivesContract } from './archives.contract.js';
import { authContract } from './auth.contract.js';
import { backupsContract } from './backups.contract.js';
import { notificationsContract } from './notifications.contract.js';
import { repositoriesContract } from './repositories.contract.js';
import { schedulesContract } from './schedules.contract.js';
import { scriptsContract } from './scripts.contract.js';
import { sshKeysContract } from './ssh-keys.contract.js';
import { systemContract } from './system.contract.js';

/** Every route of the service, by area. */
export const contract = initContract().router({
  archives: archivesContract,
  auth: authContract,
  backups: backupsContract,
  notifications: notificationsContract,
  repositories: repositoriesContract,
  schedules: schedulesContract,
  sshKeys: sshKeysContract,
  scripts: scriptsContract,
  system: systemContract,
});

import { authContract } from './accounts.contract.js';
import { archivesContract } from './archives.contract.js';
import { auditContract } from './audit.contract.js';
import { backupsContract } from './backups.contract.js';
import { cacheContract } from './cache.contract.js';
import { downloadsContract } from './downloads.contract.js';
import { drillsContract } from './drills.contract.js';
import { eventsContract } from './events.contract.js';
import { exchangeContract } from './exchange.contract.js';
import { historyContract } from './history.contract.js';
import { scriptsContract } from './hooks.contract.js';
import { incidentsContract } from './incidents.contract.js';
import { jobsContract } from './jobs.contract.js';
import { maintenanceContract } from './maintenance.contract.js';
import { systemContract } from './monitoring.contract.js';
import { movingInContract } from './moving-in.contract.js';
import { notificationsContract } from './notifications.contract.js';
import { overviewContract } from './overview.contract.js';
import { placesContract } from './places.contract.js';
import { recoveryContract } from './recovery.contract.js';
import { repositoriesContract } from './repositories.contract.js';
import { restoreContract } from './restore.contract.js';
import { schedulesContract } from './schedules.contract.js';
import { selfBackupContract } from './self-backup.contract.js';
import { sourceSetsContract } from './source-sets.contract.js';
import { sourcesContract } from './sources.contract.js';
import { sshKeysContract } from './ssh.contract.js';

/** Declared explicitly: the compiler can't emit a declaration for an inferred type of this size. */
export type Contract = {
  archives: typeof archivesContract;
  audit: typeof auditContract;
  auth: typeof authContract;
  backups: typeof backupsContract;
  cache: typeof cacheContract;
  events: typeof eventsContract;
  downloads: typeof downloadsContract;
  drills: typeof drillsContract;
  exchange: typeof exchangeContract;
  incidents: typeof incidentsContract;
  history: typeof historyContract;
  jobs: typeof jobsContract;
  maintenance: typeof maintenanceContract;
  movingIn: typeof movingInContract;
  notifications: typeof notificationsContract;
  overview: typeof overviewContract;
  selfBackup: typeof selfBackupContract;
  places: typeof placesContract;
  recovery: typeof recoveryContract;
  repositories: typeof repositoriesContract;
  restore: typeof restoreContract;
  schedules: typeof schedulesContract;
  scripts: typeof scriptsContract;
  sources: typeof sourcesContract;
  sourceSets: typeof sourceSetsContract;
  sshKeys: typeof sshKeysContract;
  system: typeof systemContract;
};

/** Every route of the service, grouped by area. */
export const contract: Contract = {
  archives: archivesContract,
  audit: auditContract,
  auth: authContract,
  backups: backupsContract,
  cache: cacheContract,
  events: eventsContract,
  downloads: downloadsContract,
  drills: drillsContract,
  exchange: exchangeContract,
  incidents: incidentsContract,
  history: historyContract,
  jobs: jobsContract,
  maintenance: maintenanceContract,
  movingIn: movingInContract,
  notifications: notificationsContract,
  overview: overviewContract,
  selfBackup: selfBackupContract,
  places: placesContract,
  recovery: recoveryContract,
  repositories: repositoriesContract,
  restore: restoreContract,
  schedules: schedulesContract,
  scripts: scriptsContract,
  sources: sourcesContract,
  sourceSets: sourceSetsContract,
  sshKeys: sshKeysContract,
  system: systemContract,
};

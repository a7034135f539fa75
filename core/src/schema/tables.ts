import { browserSessions, downloadTickets, tokens, users } from '../accounts/tables.js';
import { auditEntries, auditHeads } from '../audit/tables.js';
import { drillResults, drillSchedules, drillStandings, drills } from '../drills/tables.js';
import { eventSequences, events } from '../events/tables.js';
import { samples } from '../history/tables.js';
import { hookJournals, repositoryScripts, scriptRuns, scripts } from '../hooks/tables.js';
import { housekeeping } from '../housekeeping/tables.js';
import { duties, incidents, protectionStates } from '../incidents/tables.js';
import { instances, jobFigures, jobLogs, jobs, lanes } from '../jobs/tables.js';
import { settings } from '../kernel/tables.js';
import { checkSchedules, retentionPauses } from '../maintenance/tables.js';
import { foundRepositories } from '../moving-in/tables.js';
import { deliveries, notificationRepositories, notificationSettings } from '../notifications/tables.js';
import { storageMoves } from '../operator/tables.js';
import { archives, repositories, repositoryMakings, sourceSets } from '../repositories/tables.js';
import { idempotencyKeys } from '../requests/tables.js';
import { restoreManifests, restorePlans, restoreRuns } from '../restore/tables.js';
import { scheduleRepositories, schedules, slots } from '../schedules/tables.js';
import { sshConnections, sshKeys } from '../ssh/tables.js';

export const allEntities = [
  settings,
  users,
  tokens,
  repositories,
  archives,
  jobs,
  jobFigures,
  jobLogs,
  lanes,
  events,
  schedules,
  checkSchedules,
  scheduleRepositories,
  slots,
  sshKeys,
  sshConnections,
  restorePlans,
  restoreRuns,
  restoreManifests,
  notificationSettings,
  notificationRepositories,
  deliveries,
  scripts,
  repositoryScripts,
  hookJournals,
  scriptRuns,
  instances,
  storageMoves,
  housekeeping,
  idempotencyKeys,
  repositoryMakings,
  sourceSets,
  eventSequences,
  downloadTickets,
  auditEntries,
  auditHeads,
  browserSessions,
  samples,
  retentionPauses,
  foundRepositories,
  incidents,
  protectionStates,
  duties,
  drillSchedules,
  drills,
  drillResults,
  drillStandings,
] as const;

import { drillResults, drillSchedules, drillStandings, drills } from '../../backup/drills/index.js';
import { hookJournals, repositoryScripts, scriptRuns, scripts } from '../../backup/hooks/index.js';
import { checkSchedules, retentionPauses } from '../../backup/maintenance/index.js';
import {
  archives,
  pins,
  repositories,
  repositoryMakings,
  sourceSets,
} from '../../backup/repositories/index.js';
import { restoreManifests, restorePlans, restoreRuns } from '../../backup/restore/index.js';
import { scheduleRepositories, schedules, slots } from '../../backup/schedules/index.js';
import { sshConnections, sshKeys } from '../../backup/ssh/index.js';
import { instances, jobFigures, jobLogs, jobs, lanes } from '../../engine/jobs/index.js';
import {
  browserSessions,
  challenges,
  downloadTickets,
  identities,
  tokens,
  users,
} from '../../foundation/accounts/index.js';
import { auditEntries, auditHeads } from '../../foundation/audit/index.js';
import { eventSequences, events } from '../../foundation/events/index.js';
import { settings } from '../../foundation/kernel/index.js';
import { samples } from '../../insight/history/index.js';
import { duties, incidents, protectionStates } from '../../insight/incidents/index.js';
import {
  deliveries,
  notificationRepositories,
  notificationSettings,
} from '../../insight/notifications/index.js';
import { foundRepositories } from '../../migration/moving-in/index.js';
import { housekeeping } from '../housekeeping/tables.js';
import { storageMoves } from '../operator/tables.js';
import { idempotencyKeys } from '../requests/tables.js';

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
  identities,
  challenges,
  pins,
] as const;

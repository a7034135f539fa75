/**
 * Kinds of events. `flagOf` in the notifications room says which lead to messages; the others serve caches, inventory,
 * metrics and user interfaces.
 * An event is written in the transaction of the change that it reports, and passed on after the commit.
 */
export type EventKind =
  | 'backup_start'
  | 'backup_success'
  | 'backup_warning'
  | 'backup_failure'
  | 'restore_success'
  | 'restore_failure'
  | 'check_success'
  | 'check_failure'
  | 'schedule_failure'
  | 'repository_created'
  | 'repository_updated'
  | 'repository_deleted'
  | 'archives_changed'
  | 'retention_paused'
  | 'job_queued'
  | 'job_started'
  | 'job_ended'
  | 'schedule_changed'
  | 'connection_changed'
  | 'delivery_parked'
  | 'protection_changed'
  | 'incident_opened'
  | 'incident_closed'
  | 'backup_late'
  | 'backup_on_time_again'
  | 'damaged'
  | 'damage_over'
  | 'retention_resumed'
  | 'incident'
  | 'incident_over'
  | 'report_weekly';

export interface NewEvent {
  kind: EventKind;
  repositoryId: number | null;
  jobId: number | null;
  data: Record<string, unknown>;
}

import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { BackupDriver } from '@holdfast/plugin-api/driver';
import type { ReadingLane } from '../../engine/jobs/index.js';
import type { PluginHost, ToolVersion } from '../../engine/plugins/index.js';
import type { EventBus } from '../../foundation/events/index.js';
import type { Message } from '../../foundation/kernel/index.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';

/** Why the monitor of HEARTBEAT_URL could not be asked at last, without secrets; null when it could. */
export interface HeartbeatState {
  problem: string | null;
}

/** Ports and services that this room depends on. Each use case picks the subset it needs. */
export interface MonitoringNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  lanes: ReadingLane;
  events: EventBus;
  /** A public sentence while the audit trail has a problem, otherwise null. */
  auditTrail: { problem(): Message | null };
  heartbeatState: HeartbeatState;
  plugins: Pick<PluginHost, 'describe'>;
  toolVersion: ToolVersion;
  serverVersion: string;
}

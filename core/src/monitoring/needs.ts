import type { EventBus } from '../events/event-bus.js';
import type { ReadingLane } from '../jobs/job-contract.js';
import type { PluginHost } from '../plugins/plugin-host.js';
import type { ToolVersion } from '../plugins/tool-version.js';
import type { BackupDriver } from '../ports/backup-driver.js';
import type { Clock, Log, Redactor, SecretBox } from '../ports/services.js';
import type { StorageBackend } from '../ports/storage.js';

/** What this room asks of the product; each part takes what it needs of it. */
export interface MonitoringNeeds {
  storage: StorageBackend;
  driver: BackupDriver;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  redactor: Redactor;
  lanes: ReadingLane;
  events: EventBus;
  /** One sentence for anybody while something is wrong with the audit trail, else null. */
  auditTrail: { problem(): string | null };
  plugins: Pick<PluginHost, 'describe'>;
  toolVersion: ToolVersion;
  serverVersion: string;
}

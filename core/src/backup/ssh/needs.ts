import type { Clock, Log, StorageBackend } from '@holdfast/plugin-api';
import type { EventBus } from '../../foundation/events/index.js';
import type { KeyTool } from '../../foundation/ports/key-tool.js';
import type { RemoteHost } from '../../foundation/ports/remote-host.js';
import type { Redactor, SecretBox } from '../../foundation/ports/services.js';
import type { SshFiles } from '../../foundation/ports/ssh-files.js';

/** The ports and services of this room; each part takes those it needs. */
export interface SshNeeds {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  events: EventBus;
  secrets: SecretBox;
  redactor: Redactor;
  remoteHost: RemoteHost;
  sshFiles: SshFiles;
  keyTool: KeyTool;
}

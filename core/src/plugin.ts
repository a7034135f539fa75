/** The door for plugins: ports, errors and the data that describes entities. */

export { bytesOfName, nameOfBytes } from './archives/archive-path.rules.js';
export { ArchiveShape } from './archives/archive-shape.rules.js';
export type * from './kernel/entity.js';
export {
  DeliveryError,
  DriverError,
  type DriverErrorKind,
  StoreError,
  type StoreErrorKind,
} from './kernel/errors.js';
export { limitedSignal } from './kernel/time-limits.js';
export type * from './ports/alarm-clock.js';
export type * from './ports/backup-driver.js';
export type * from './ports/cache.js';
export * from './ports/plugin.js';
export type { Clock, Log } from './ports/services.js';
export type * from './ports/storage.js';
export { allEntities } from './schema/tables.js';
export type { SchemaChange, SchemaVersion } from './schema/versions.js';

/** The door for plugins: ports, errors and the data that describes entities. */

export { ArchiveShape, bytesOfName, nameOfBytes } from './archives/index.js';
export type * from './kernel/entity.js';
export {
  DeliveryError,
  DriverError,
  type DriverErrorKind,
  limitedSignal,
  StoreError,
  type StoreErrorKind,
} from './kernel/index.js';
export type * from './ports/alarm-clock.js';
export type * from './ports/backup-driver.js';
export type * from './ports/cache.js';
export * from './ports/plugin.js';
export type { Clock, Log } from './ports/services.js';
export type * from './ports/storage.js';
export { allEntities } from './schema/tables.js';
export type { SchemaChange, SchemaVersion } from './schema/versions.js';

/** The door for plugins: ports, errors and the data that describes entities. */
export { ArchiveShape } from './domain/archive-shape.js';
export { limitedSignal } from './domain/limited-signal.js';
export { bytesOfName, nameOfBytes } from './domain/lossless-bytes.js';
export {
  DeliveryError,
  DriverError,
  type DriverErrorKind,
  StoreError,
  type StoreErrorKind,
} from './errors.js';
export type * from './ports/alarm-clock.js';
export type * from './ports/backup-driver.js';
export type * from './ports/cache.js';
export * from './ports/plugin.js';
export type { Clock, Log } from './ports/services.js';
export type * from './ports/storage.js';
export type * from './schema/entity.js';
export { allEntities } from './schema/tables.js';
export type { SchemaChange, SchemaVersion } from './schema/versions.js';

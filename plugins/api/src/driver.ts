/** The API for drivers of backup tools. */

export { ArchiveShape, type StreamMember } from './archive-shape.js';
export type * from './backup-driver.js';
export * from './entry-names.js';
export { DriverError, type DriverErrorKind, isDriverError } from './errors.js';
export { type Flow, keepWithin, type SpeedLimit } from './speed-limit.js';

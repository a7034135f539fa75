/** What a plugin of Holdfast is written against: the ports, `definePlugin`, errors, and entities as data. */

export { ArchiveShape, type StreamMember } from './archive-shape.js';
export type * from './backup-driver.js';
export type * from './cache.js';
export * from './entity.js';
export * from './entry-names.js';
export * from './errors.js';
export { limitedSignal } from './limited-signal.js';
export * from './plugin.js';
export type * from './schema.js';
export type * from './services.js';
export type * from './storage.js';
export type * from './timer-service.js';

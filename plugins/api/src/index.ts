/** The API for plugins of Holdfast: `definePlugin`, the ports, their errors, and entities as data. */

export type * from './cache.js';
export * from './entity.js';
export { DeliveryError, isStoreError, StoreError, type StoreErrorKind } from './errors.js';
export { limitedSignal } from './limited-signal.js';
export * from './message.js';
export type * from './notification.js';
export * from './plugin.js';
export type * from './schema.js';
export type * from './services.js';
export type * from './storage.js';
export type * from './timer-service.js';

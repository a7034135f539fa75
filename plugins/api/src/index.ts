/** The API for plugins of Holdfast: `definePlugin`, the ports, their errors, and entities as data. */

export type * from './cache.js';
export * from './entity.js';
export {
  DeliveryError,
  isSignInRefused,
  isStoreError,
  SignInRefused,
  StoreError,
  type StoreErrorKind,
} from './errors.js';
export { limitedFetch, limitedSignal } from './limited-signal.js';
export * from './message.js';
export type * from './notification.js';
export * from './plugin.js';
export type * from './schema.js';
export type * from './services.js';
export type * from './sign-in.js';
export type * from './states.js';
export type * from './storage.js';
export type * from './timer-service.js';

/** Idempotency keys, entity tags and versions, shared by all requests. */

export { type EntityTag, isUnchanged, tagText } from './entity-tag.rules.js';
export { type Call, idempotencyUseCases, type RememberedAnswer, type Ticket } from './idempotency.js';
export { versionsUseCases } from './versions.js';

/** The audit trail: who did what, in a chain that shows tampering. */

export { type AuditFacts, type AuditKind, outcomeOf, systemFacts } from './audit-entry.rules.js';
export { readAuditHead, stateOfRows, writeAuditHead } from './audit-head.js';
export {
  type AuditStore,
  type AuditTrail,
  appendEntries,
  auditCommand,
  makeAuditTrail,
} from './audit-trail.js';
export * from './tables.js';
export { auditUseCases, sweepAudit } from './use-cases.js';
export { type AuditVerdict, verifyTrail } from './verify-trail.js';

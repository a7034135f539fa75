/** Databases, containers and snapshots: prepares them for a backup, and releases them whatever happens. */

export { claimsIn, claimsOf, waitsForClaims } from './claims.js';
export { type DumpPlace, dumpAt } from './dump-path.rules.js';
export { hostNameOf, hostOf } from './hosts.js';
export type { SourcesNeeds } from './needs.js';
export {
  type PreparedSources,
  preparedBefore,
  prepareSources,
  streamsOf,
  withoutFailed,
} from './prepare-sources.js';
export { releaseSources } from './release-sources.js';
export { saidBy } from './said-by.js';
export type * from './tables.js';
export { sourcesUseCases } from './use-cases.js';

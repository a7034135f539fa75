/** The system key, connections to other hosts, and access to them. */

export { connectedDriver } from './connected-driver.js';
export { findConnection } from './connection-access.js';
export { getConnection, saveConnection } from './connections.js';
export { readPrivateKey } from './import-key.js';
export { getKey, leaveWithoutKey, publishKeyFiles } from './keys.js';
export { remoteFailure } from './remote-failure.js';
export {
  doubleSlash,
  isRemoteLocation,
  movedLocation,
  pathOf,
  readAsArchive,
  remoteLocation,
} from './remote-location.rules.js';
export { type HostNeeds, sourceHost } from './source-host.js';
export { hostKeyFingerprint } from './ssh.rules.js';
export { storeKey } from './store-key.js';
export { findSystemKey, openPrivateKey } from './system-key.js';
export * from './tables.js';
export { type ConnectionNeeds, refuseChangedHostKey } from './test-connection.js';
export { prepareSsh, usingConnection } from './transport.js';
export { sshUseCases } from './use-cases.js';

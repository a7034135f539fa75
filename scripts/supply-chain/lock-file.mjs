/** What is wrong with package-lock.json, a sentence each. Nobody else's files may come in the place of what was locked. */
export function faultsOfLockFile(lock) {
  if (lock.lockfileVersion !== 3) return [`lockfileVersion is ${lock.lockfileVersion}, not 3`];
  return Object.entries(lock.packages).flatMap(([place, entry]) =>
    place.includes('node_modules/') && !entry.link ? faultsOfEntry(place, entry) : [],
  );
}

const publicRegistry = 'https://registry.npmjs.org/';
const strongHash = /(^|\s)sha512-[A-Za-z0-9+/]{86}==/;

function faultsOfEntry(place, { version, integrity, resolved, ...entry }) {
  const name = `${place}@${version}`;
  const faults = [];
  if (!/^\d/.test(version ?? '')) faults.push(`${name} has no version of its own`);
  if (resolved !== undefined && !resolved.startsWith(publicRegistry)) {
    faults.push(`${name} comes from ${hostOf(resolved)}: only ${publicRegistry} may stand in "resolved"`);
  }
  if (integrity === undefined) {
    if (!isForOtherMachines(entry)) faults.push(`${name} has no integrity hash`);
  } else if (!strongHash.test(integrity)) {
    faults.push(`${name} has no SHA-512 hash`);
  }
  return faults;
}

const hostOf = (url) => (URL.canParse(url) ? new URL(url).host || url : url);

/** Tools of development for systems that the lock file was not made on: npm learns their hashes only where it installs them. */
const isForOtherMachines = ({ dev, optional, os }) => dev === true && optional === true && os !== undefined;

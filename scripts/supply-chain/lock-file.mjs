/** Problems of package-lock.json, one sentence each. No other files may replace the locked ones. */
export function lockFileProblems(lock) {
  if (lock.lockfileVersion !== 3) return [`lockfileVersion is ${lock.lockfileVersion}, not 3`];
  return Object.entries(lock.packages).flatMap(([place, entry]) =>
    place.includes('node_modules/') && !entry.link ? entryProblems(place, entry) : [],
  );
}

const publicRegistry = 'https://registry.npmjs.org/';
const strongHash = /(^|\s)sha512-[A-Za-z0-9+/]{86}==/;

function entryProblems(place, { version, integrity, resolved, ...entry }) {
  const name = `${place}@${version}`;
  const problems = [];
  if (!/^\d/.test(version ?? '')) problems.push(`${name} has no version of its own`);
  if (resolved !== undefined && !resolved.startsWith(publicRegistry)) {
    problems.push(`${name} comes from ${hostOf(resolved)}: only ${publicRegistry} is allowed in "resolved"`);
  }
  if (integrity === undefined) {
    if (!isForOtherMachines(entry)) problems.push(`${name} has no integrity hash`);
  } else if (!strongHash.test(integrity)) {
    problems.push(`${name} has no SHA-512 hash`);
  }
  return problems;
}

const hostOf = (url) => (URL.canParse(url) ? new URL(url).host || url : url);

/**
 * Development tools for systems other than the one that made the lock file: npm learns their hashes only when it
 * installs them.
 */
const isForOtherMachines = ({ dev, optional, os }) => dev === true && optional === true && os !== undefined;

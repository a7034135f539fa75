/** The package whose install script `scripts/prepare/driver.mjs` runs. */
const allowed = 'sqlite3';
/** They report installations to others. */
const unwanted = ['@scarf/scarf'];

/**
 * A sentence for each package whose install script could run, or is new. `answered` are the packages that work without
 * theirs.
 */
export function scriptProblems(lock, { manifest, npmrc, answered }) {
  const entries = Object.entries(lock.packages);
  const scripted = entries.filter(([, entry]) => entry.hasInstallScript).map(([place]) => nameOf(place));
  const listed = new Set(
    entries.flatMap(([place, entry]) => [nameOf(place), ...Object.keys(entry.dependencies ?? {})]),
  );
  return [
    ...(/^ignore-scripts=true$/m.test(npmrc) ? [] : ['.npmrc must say ignore-scripts=true']),
    ...(JSON.stringify(manifest.allowScripts) === JSON.stringify({ [allowed]: true })
      ? []
      : [`package.json: allowScripts must name ${allowed} alone`]),
    ...scripted
      .filter((name) => name !== allowed && !answered.has(name))
      .map((name) => `${name} has an install script: if it works without, add it to .github/DEPENDENCIES.md`),
    ...[...answered.keys()]
      .filter((name) => !scripted.includes(name))
      .map((name) => `${name} is answered in .github/DEPENDENCIES.md but has no install script`),
    ...unwanted.filter((name) => listed.has(name)).map((name) => `${name} must not be installed`),
  ];
}

const nameOf = (place) => place.split('node_modules/').at(-1);

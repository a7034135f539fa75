import { runningPlaces } from './running.mjs';

/** Compatible with Apache-2.0: they require a notice at most. */
const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/**
 * The packages that run in the service and in its page: name, version, licence. `manifestOf(place)` reads an installed package.json;
 * `answers` are licences by name, for packages that don't state theirs; `kept` are packages whose files are kept here.
 */
export function productionPackages(lock, { manifestOf, answers, kept }) {
  const all = [...runningPlaces(lock)]
    .map((place) => [place, lock.packages[place]])
    .map(([place, entry]) => {
      const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = answers.get(name) ?? entry.license ?? licenceOf(manifestOf(place));
      return { name, version: entry.version, licence: licence ?? null };
    });
  const others = kept.map(({ name, version, license }) => ({ name, version, licence: license }));
  const different = new Map([...all, ...others].map((one) => [`${one.name}@${one.version}`, one]));
  return [...different.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Also in the format of old packages: a list of objects. */
function licenceOf(manifest) {
  const { license, licenses } = manifest ?? {};
  if (typeof license === 'string') return license;
  if (Array.isArray(licenses) && licenses.length > 0) return licenses.map(({ type }) => type).join(' AND ');
  return license?.type;
}

/** A sentence for each package that may not be used. */
export const licenceProblems = (packages) =>
  packages
    .filter(({ licence }) => licence === null || !isAllowed(licence))
    .map(({ name, version, licence }) =>
      licence === null
        ? `${name}@${version} does not state its licence; find it and add it to .github/DEPENDENCIES.md`
        : `${name}@${version} has the licence ${licence}, which is not known to be compatible`,
    );

/** An SPDX expression without nesting, except for one outer pair of parentheses. */
function isAllowed(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1').trim();
  if (/[()]/.test(plain)) return false;
  const either = plain.split(/\s+OR\s+/);
  return either.some((choice) => choice.split(/\s+AND\s+/).every((licence) => allowedLicences.has(licence)));
}

/** The text of THIRD-PARTY-LICENCES.md. */
export function licencePage(packages) {
  const sections = [...byLicence(packages)]
    .sort(([a], [b]) => compare(a, b))
    .map(([licence, its]) => {
      const lines = its.map(({ name, version }) => `- ${name} ${version}`);
      return `## ${licence}\n\n${lines.join('\n')}\n`;
    });
  return [
    '# Third-party licences\n',
    `The ${packages.length} third-party packages in the server and the web console, by licence. Generated from the lock file by`,
    '`node scripts/check-supply-chain.mjs --write`; `npm run lint` checks it.\n',
    ...sections,
  ].join('\n');
}

function byLicence(packages) {
  const groups = new Map();
  for (const one of packages) {
    const licence = one.licence ?? 'unknown';
    groups.set(licence, [...(groups.get(licence) ?? []), one]);
  }
  return groups;
}

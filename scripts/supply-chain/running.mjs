/** What the console's package lists beside what its page is made of. */
const buildTools = /^((vite|rolldown|markdown-it)$|@holdfast\/)/;

/**
 * Where packages lie whose code runs at users: in the service, and, although npm takes them for tools of development,
 * in the page of the web console.
 */
export function runningPlaces({ packages }) {
  const inService = Object.entries(packages)
    .filter(([place, entry]) => place.includes('node_modules/') && !entry.link && !entry.dev)
    .map(([place]) => place);
  const running = new Set(inService);
  const add = (name, user) => {
    const place = placeOf(name, user, packages);
    if (place === null || running.has(place)) return;
    running.add(place);
    for (const used of Object.keys(packages[place].dependencies ?? {})) add(used, place);
  };
  const listed = Object.keys(packages.console?.devDependencies ?? {});
  for (const name of listed) if (!buildTools.test(name)) add(name, 'console');
  return running;
}

/** The nearest one, as Node.js looks for it. */
function placeOf(name, user, packages) {
  for (let folder = user; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return null;
  }
}

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createBare, currentWay, initBare } from '../bare-borg.mjs';
import { backUp, createRepository, timedBackUp } from '../service.mjs';
import { settings } from '../settings.mjs';
import { median, ratio, seconds } from '../statistics.mjs';

/**
 * A backup through the API against bare borg with the same flags and niceness, in pairs: each into two new
 * repositories, alternating the order from pair to pair. Then each pair again with nothing changed.
 */
export async function backupTime({ api, folder, source, say }) {
  const like = await learnWay({ api, folder, source });
  const { own, session = 'none' } = like.niceness;
  say(`both sides: ${like.flags.join(' ')}; niceness ${own}, of the session ${session}`);
  const fresh = [];
  const unchanged = [];
  for (let n = 0; n < settings.backupPairs; n++) {
    const sides = await makeSides({ api, folder: join(folder, `pair-${n}`), source, like });
    fresh.push(await measurePair(sides, n % 2 === 0));
    unchanged.push(await measurePair(sides, n % 2 === 1));
    say(`pair ${n + 1}: ${shown(fresh[n])}; nothing changed: ${shown(unchanged[n])}`);
    rmSync(sides.folder, { recursive: true, force: true });
  }
  return [ratioRow(fresh), differenceRow(unchanged)];
}

/**
 * One unmeasured backup: it shows how the service runs borg, and loads the sources into the file cache for both
 * sides.
 */
async function learnWay({ api, folder, source }) {
  const repository = join(folder, 'warm-up');
  await createRepository(api, { name: 'warm-up', path: repository, source });
  const [way] = await Promise.all([currentWay(repository), backUp(api, repository)]);
  rmSync(repository, { recursive: true, force: true });
  return way;
}

async function makeSides({ api, folder, source, like }) {
  mkdirSync(folder, { recursive: true });
  const [served, bare, base] = ['served', 'bare', 'base'].map((name) => join(folder, name));
  await createRepository(api, { name: served, path: served, source });
  await initBare(base, bare);
  let count = 0;
  return {
    folder,
    served: () => timedBackUp(api, served),
    bare: () => createBare(base, { repository: bare, archive: `archive-${count++}`, source, like }),
  };
}

async function measurePair(sides, servedFirst) {
  if (servedFirst) {
    const served = await sides.served();
    return { served, bare: await sides.bare() };
  }
  const bare = await sides.bare();
  return { served: await sides.served(), bare };
}

const shown = ({ served, bare }) => `${seconds(served)} served, ${seconds(bare)} bare`;

function ratioRow(pairs) {
  const value = median(pairs.map(({ served, bare }) => served / bare));
  return {
    what: `backup of ${settings.mebibytes} MiB in ${settings.files} files: served / bare borg, median of ${pairs.length} pairs`,
    measured: ratio(value),
    limit: '1.03',
    passed: value <= 1.03,
  };
}

function differenceRow(pairs) {
  const value = median(pairs.map(({ served, bare }) => served - bare));
  return {
    what: `the same with nothing changed: served - bare borg, median of ${pairs.length} pairs`,
    measured: seconds(value),
    limit: '0.40 s',
    passed: value <= 400,
  };
}

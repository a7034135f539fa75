import type { ProofContext } from '@holdfast/plugin-api/source';
import { humanSize, type Message, reasonOf, say } from '../../foundation/kernel/index.js';
import { openedSettings } from '../repositories/index.js';
import { freeBytes, removePath, reserveBytes } from '../restore/index.js';
import { hostOf } from '../sources/index.js';
import { because } from './compare.rules.js';
import type { PathResult } from './drill.rules.js';
import type { DrillWork, TriedDump } from './drill-work.js';
import type { DrillsNeeds } from './needs.js';
import { dumpScratchParent, makeScratch } from './scratch.fs.js';

/** Data, indexes and log of a database that is restored, beside a dump of this size. */
const timesItsSize = 3;

/** Restores each dump into a server of its own, one after another. */
export async function tryDumps(
  needs: DrillsNeeds,
  work: DrillWork & { archive: string; folder: string },
  dumps: readonly TriedDump[],
): Promise<PathResult[]> {
  const results: PathResult[] = [];
  for (const dump of dumps) {
    work.context.signal.throwIfAborted();
    work.context.progress({ message: `Restoring ${dump.place.name} into a server of its own` });
    const { verdict, reason } = await tryDump(needs, work, dump);
    const { type, size, mtime } = dump.entry;
    const entry = { path: dump.path, type, size, mtime, sha256: null };
    results.push({ ...entry, verdict, source: 'not_here', bySource: false, ...because(reason) });
  }
  return results;
}

async function tryDump(
  needs: DrillsNeeds,
  { context, target, options, archive, folder }: DrillWork & { archive: string; folder: string },
  { place, prove, entry }: TriedDump,
): Promise<{ verdict: PathResult['verdict']; reason: Message }> {
  const { signal } = context;
  const needed = entry.size * timesItsSize + reserveBytes;
  const free = await freeBytes(dumpScratchParent);
  if (free < needed)
    return {
      verdict: 'not_examined',
      reason: say`drill_dump_without_room: The test needs ${{ needed: humanSize(needed) }} in ${{ folder: dumpScratchParent }}, which has ${{ free: humanSize(free) }} free.`,
    };
  const log: ProofContext['log'] = (level, text) => context.log({ level, text });
  const here = { connectionId: null, container: null };
  const host = await hostOf(needs, here, { signal, log: (line) => log('info', `  ! ${line}`) });
  const source = context.repository.sources.find(
    ({ kind, name }) => kind === place.kind && name === place.source,
  );
  const opened = source && openedSettings(needs, source);
  const open = () => needs.driver.readFile(target, { archive, path: entry.path }, options);
  try {
    await makeScratch(folder);
    const dump = { name: place.name, open };
    const { passed, text, tables, rows } = await prove(opened?.settings ?? {}, dump, {
      host,
      signal,
      log,
      folder,
    });
    const said = needs.redactor.redact(text);
    return passed
      ? {
          verdict: 'passed',
          reason:
            tables !== undefined && rows !== undefined
              ? say`drill_dump_counted: Restored in a server of its own: ${{ tables }} tables, ${{ rows }} rows.`
              : say`drill_dump_restored: ${{ found: said }}`,
        }
      : { verdict: 'failed', reason: say`drill_dump_failed: ${{ problem: said }}` };
  } catch (error) {
    signal.throwIfAborted();
    const problem = needs.redactor.redact(reasonOf(error));
    return { verdict: 'not_examined', reason: say`drill_dump_not_tried: ${{ problem }}` };
  } finally {
    opened?.release();
    // A server that ends late may still write there; it is removed again at the end of the drill.
    await removePath(folder).catch(() => {});
  }
}

import type { BigIntStats } from 'node:fs';
import { bytesOfName, nameOfBytes } from '@holdfast/plugin-api/driver';
import { readdir } from '@holdfast/plugin-api/files';
import { conflict, say } from '../../../foundation/kernel/index.js';
import { joinPath } from '../../archives/index.js';
import type { ManifestEntry, RestoreOrder, RestoreOutcome } from '../restore.rules.js';
import type { NamedEntry } from './folder.fs.js';
import type { PathStats, RestoreTarget } from './target-files.fs.js';
import { below, look } from './target-files.fs.js';

/** One rename that belongs to a restore. `replace`: an existing entry is moved aside first. JSON. */
export interface Move {
  /** Relative to the tree. */
  from: string;
  to: string;
  replace: boolean;
}

/** Original modes of extracted directories, by path relative to the tree, outermost first. */
export type Modes = ReadonlyMap<string, number>;

export interface MovePlan {
  moves: Move[];
  /** Modes that new directories get at the end, outermost first. */
  modes: [path: string, mode: number][];
  manifest: ManifestEntry[];
  counts: RestoreOutcome;
  /** Number of manifest entries beyond the limit. */
  omitted: number;
}

export const maxManifestEntries = 200_000;

export interface StagedTree {
  tree: string;
  modes?: Modes;
  /** False for a parent folder that was not selected. Relative to the tree. */
  isChosen?(path: string): boolean;
}

/** Compares the extracted files with the target and plans how to merge them. Writes nothing. */
export async function planMoves(
  { tree, modes = new Map(), isChosen = () => true }: StagedTree,
  order: RestoreOrder,
  target: Pick<RestoreTarget, 'look'> = { look },
): Promise<MovePlan> {
  const planner = new MovePlanner({ tree, modes, isChosen }, order, target);
  await planner.descend('', order.stripComponents);
  return planner.plan;
}

class MovePlanner {
  readonly plan: MovePlan = {
    moves: [],
    modes: [],
    manifest: [],
    counts: {
      restored: 0,
      replaced: 0,
      kept: 0,
      bytes: 0,
      warning: null,
      byType: { files: 0, directories: 0, links: 0, others: 0 },
    },
    omitted: 0,
  };

  constructor(
    private readonly staged: Required<StagedTree>,
    private readonly order: RestoreOrder,
    private readonly target: Pick<RestoreTarget, 'look'>,
  ) {}

  /** Descends to the depth at which names start to count. */
  async descend(folder: string, components: number): Promise<void> {
    if (components === 0) return this.merge(folder, this.order.destination);
    for (const entry of await this.#entriesIn(folder)) {
      if (entry.isDirectory()) await this.descend(joinPath(folder, entry.name), components - 1);
    }
  }

  /** Merges the contents of `folder` into a directory that exists or will be created. */
  async merge(folder: string, target: string): Promise<void> {
    for (const { name } of await this.#entriesIn(folder)) {
      await this.#place(joinPath(folder, name), below(target, name));
    }
  }

  async #place(from: string, to: string): Promise<void> {
    const [staged, there] = await Promise.all([this.#look(from), this.target.look(to)]);
    if (!staged) return;
    if (!there) {
      this.plan.moves.push({ from, to, replace: false });
      await this.#recordTree({ staged, from, to });
    } else if (staged.isDirectory() && there.isDirectory()) {
      this.#record(staged, { from, to }, 'merged');
      await this.merge(from, to);
    } else await this.#resolve({ staged, from, to, there });
  }

  async #resolve({
    staged,
    from,
    to,
    there,
  }: {
    staged: BigIntStats;
    from: string;
    to: string;
    there: PathStats;
  }) {
    if (staged.isDirectory() || there.isDirectory()) {
      throw conflict(
        say`restore_target_in_the_way: ${{ path: to }} is in the way: only one of the two is a directory. Move it away and restore again.`,
      );
    }
    if (this.order.overwrite) {
      this.plan.moves.push({ from, to, replace: true });
      this.#record(staged, { from, to }, 'replaced');
    } else if (this.order.skipExisting) this.#record(staged, { from, to }, 'kept');
    else
      throw conflict(say`restore_target_exists: ${{ path: to }} already exists, and overwrite is not set.`);
  }

  async #recordTree({ staged, from, to }: { staged: BigIntStats; from: string; to: string }): Promise<void> {
    this.#record(staged, { from, to }, 'restored');
    if (!staged.isDirectory()) return;
    const mode = this.staged.modes.get(from);
    if (mode !== undefined) this.plan.modes.push([to, mode]);
    for (const { name } of await this.#entriesIn(from)) {
      const inner = await this.#look(joinPath(from, name));
      if (inner) await this.#recordTree({ staged: inner, from: joinPath(from, name), to: below(to, name) });
    }
  }

  #look = (path: string) => look(joinPath(this.staged.tree, path));

  async #entriesIn(path: string): Promise<NamedEntry[]> {
    const folder = bytesOfName(joinPath(this.staged.tree, path));
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    return entries.map((entry) => ({
      name: nameOfBytes(entry.name),
      isDirectory: () => entry.isDirectory(),
    }));
  }

  #record(
    stats: BigIntStats,
    { from, to: path }: { from: string; to: string },
    result: ManifestEntry['result'],
  ): void {
    const { counts, manifest } = this.plan;
    const type = typeOf(stats);
    if (counts.byType && result !== 'kept' && this.staged.isChosen(from)) counts.byType[plural[type]] += 1;
    const size = type === 'file' ? Number(stats.size) : 0;
    if (result === 'kept') counts.kept += 1;
    else if (result === 'restored' || result === 'replaced') {
      counts[result] += 1;
      counts.bytes += size;
    }
    if (manifest.length < maxManifestEntries) manifest.push({ path, type, result, size });
    else this.plan.omitted += 1;
  }
}

const plural = { file: 'files', directory: 'directories', symlink: 'links', other: 'others' } as const;

function typeOf(stats: BigIntStats): ManifestEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

import { definePlugin, type Finding } from '@holdfast/plugin-api';
import { linesOf, type Source, type SourceSettings, type Undo } from '@holdfast/plugin-api/source';
import { z } from 'zod';
import { fields } from './fields.js';
import { assertRoom, inMb, spaceFor } from './lvm.js';
import { type Snapshot, snapshotOf, take, undoneBy, verified } from './snapshots.js';
import { type Plan, planOf, type Volume } from './volumes.js';

const keyOf = ({ kind, id }: Volume) => `${kind} ${id}`;

/** Each once. Throws an Error unless snapshots of them have room. */
function volumesOf({ parts }: Plan, hostName: string, { lvm_size: wanted }: SourceSettings): Volume[] {
  const volumes = parts.flatMap(({ volume }) => (volume ? [volume] : []));
  const once = [...new Map(volumes.map((volume) => [keyOf(volume), volume])).values()];
  const logical = once.flatMap(({ lvm }) => (lvm ? [lvm] : []));
  assertRoom(logical, { hostName, wanted });
  return once;
}

const describe = (volume: Volume, { lvm_size }: SourceSettings) => {
  const { lvm } = volume;
  return lvm && !lvm.pool ? `${keyOf(volume)} (${inMb(spaceFor(lvm, lvm_size))} MB)` : keyOf(volume);
};

const notesIn = ({ made }: Undo): readonly string[] => (Array.isArray(made) ? made : []);

const snapshots: Source = {
  title: 'Snapshots (Btrfs, LVM, ZFS)',
  fields,
  claims({ folders }, read) {
    const chosen = linesOf(folders);
    return chosen.length > 0 ? chosen : read;
  },
  async check(settings, { host, folders }) {
    if (linesOf(settings.folders).length + folders.length === 0)
      return [{ status: 'warning', text: 'The source directories are not known yet: check again later.' }];
    try {
      const plan = await planOf(settings, host, folders);
      const volumes = volumesOf(plan, host.name, settings).map((volume) => describe(volume, settings));
      return [
        { status: 'ok', text: `A snapshot is made for each backup: ${volumes.join(', ')}.` },
        ...plan.warnings.map((text): Finding => ({ status: 'warning', text })),
      ];
    } catch (error) {
      return [{ status: 'failed', text: (error as Error).message }];
    }
  },
  async prepare(settings, { host, folders, token, record, log }) {
    const plan = await planOf(settings, host, folders);
    for (const text of plan.warnings) log('warning', text);
    const made: string[] = [];
    const snapshots = new Map<string, Snapshot>();
    for (const [at, volume] of volumesOf(plan, host.name, settings).entries()) {
      const snapshot = snapshotOf(volume, `${token}-${at}`);
      made.push(...snapshot.notes);
      await record({ made: [...made] });
      await take(host, snapshot, settings.lvm_size);
      snapshots.set(keyOf(volume), snapshot);
      log('info', `Snapshot of ${describe(volume, settings)}: ${snapshot.at}`);
    }
    const instead = plan.parts.map(({ path, volume, within }) => {
      const snapshot = volume && snapshots.get(keyOf(volume));
      return { path, from: snapshot ? `${snapshot.at}${within}` : path };
    });
    return { instead, paths: plan.more };
  },
  async verify(_settings, undo, { host }) {
    for (const note of notesIn(undo)) await verified(host, note);
  },
  async release(_settings, undo, { host }) {
    const problems: string[] = [];
    // What can't be removed must not keep the others.
    for (const note of notesIn(undo).toReversed())
      await undoneBy(host, note).catch((error: Error) => problems.push(error.message));
    if (problems.length > 0) throw new Error(problems.join(' '));
  },
};

export default definePlugin({ kind: 'source', configuration: z.object({}), create: () => snapshots });

import {
  type BackupDriver,
  DriverError,
  type PullArchiveInput,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import { asDriverError } from '../command.js';
import type { BorgContext } from '../context.js';
import { isRemote } from '../location.js';
import { type HostView, hostView } from '../pull/host-view.js';
import { hasFile, probeSource, type SourceFacts } from '../pull/probe-source.js';
import { pullByTar } from '../pull/pull-by-tar.js';
import { pullByTool } from '../pull/pull-by-tool.js';
import { planTar } from '../pull/tar-command.js';
import { versionOf } from '../version.js';
import { assertTexts } from './create-archive.js';

export const checkPull: NonNullable<BackupDriver['checkPull']> = (input) => planTar(input).problems;

export const pullArchive =
  (context: BorgContext): NonNullable<BackupDriver['pullArchive']> =>
  async (target, input, options = {}) => {
    try {
      assertTexts(input);
      const { host, sources } = input;
      const facts = await probeSource(host, { sources, signal: options.signal });
      if (facts.present.length === 0 && sources.length > 0)
        throw new DriverError(
          'path_missing',
          `None of the source directories exists on ${host.name}: ${sources.join(', ')}.`,
        );
      const missing = facts.missing.map((path) => `${path}: not found on ${host.name}.`);
      for (const text of missing) options.onLog?.({ level: 'warning', text });
      const view = await hostView(input, options.signal ? { signal: options.signal } : {});
      const way = wayFor(target, { input, facts, view, onLog: options.onLog });
      const pull = way === 'tool' ? pullByTool : pullByTar;
      const { value, warnings } = await pull(
        { context, target, options },
        { input, facts, view: view.prefix },
      );
      const sourcesHaveFiles =
        value.stats.files > 0 || (await hasFile(host, { paths: facts.present, signal: options.signal }));
      const found = { way, sourcesHaveFiles, sources: facts.sources };
      return { value: { ...value, ...found }, warnings: [...missing, ...warnings] };
    } catch (error) {
      if (options.signal?.aborted) throw new DriverError('cancelled', 'The operation was cancelled.');
      throw asDriverError(error);
    }
  };

function usesTool(line: string): boolean {
  const [, major, minor] = versionOf.exec(line) ?? [];
  return major === '1' && Number(minor) >= 1;
}

interface Choice {
  input: PullArchiveInput;
  facts: SourceFacts;
  view: HostView;
  onLog: NonNullable<Parameters<BackupDriver['createArchive']>[2]>['onLog'];
}

function wayFor(target: RepositoryTarget, { input, facts, view, onLog }: Choice): PullArchiveInput['way'] {
  if (input.way === 'tar') return 'tar';
  const reason = input.streams?.length
    ? 'dumps can only be added to a tar stream'
    : view.hidesHome
      ? 'its cache is below a folder that is read from a snapshot'
      : isRemote(target.location)
        ? 'the repository is not on this server'
        : target.keyFile !== null
          ? 'the repository has a key file, which must not leave this server'
          : !usesTool(facts.tool)
            ? `it needs Borg 1.1 or later 1.x (found: ${facts.tool || 'none'})`
            : !facts.relays
              ? 'its shell cannot pass the connection to Borg'
              : null;
  if (reason === null) return 'tool';
  onLog?.({ level: 'warning', text: `Borg on ${input.host.name} is not used: ${reason}.` });
  return 'tar';
}

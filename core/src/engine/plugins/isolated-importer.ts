import { type Importer, importReading, writtenFiles } from '@holdfast/plugin-api/importer';
import type { z } from 'zod';
import { AppError, say } from '../../foundation/kernel/index.js';
import type { LoadedPlugin } from './plugin-loader.fs.js';

/** Why another process has no answer: the importer threw, or it took too long or too much memory. */
export class ImporterFailure extends Error {
  constructor(
    readonly kind: 'threw' | 'excess',
    reason: string,
  ) {
    super(reason);
  }
}

export interface ImporterProcess {
  /** The answer as JSON keeps it, checked by nobody. Rejects with ImporterFailure. */
  call(method: 'read' | 'write', parameters: readonly unknown[]): Promise<unknown>;
  close(): void;
}

/** Starts a process that can read the code of the plugin and no other files. `entry` and `folder` are absolute. */
export type OpenImporter = (plugin: {
  entry: string;
  folder: string;
  configuration: unknown;
}) => ImporterProcess;

/** What is wrong with an importer is an AppError `internal` that names it. */
export interface IsolatedImporter {
  id: string;
  using<T>(work: (importer: Required<Importer>) => T | Promise<T>): Promise<T>;
}

/** Runs in a process of its own, built-in ones too: what they read was written by anybody. */
export function isolatedImporter(
  { manifest, configuration }: Pick<LoadedPlugin, 'manifest' | 'configuration'>,
  open: OpenImporter,
): IsolatedImporter {
  const { id, package: plugin, entry, folder } = manifest;
  const nonsense = (field: string) =>
    new AppError(
      'internal',
      say`importer_nonsense: ${{ plugin }} returned an invalid result (${{ field }}). Nothing was imported.`,
    );
  const checked = <T>(shape: z.ZodType<T, z.ZodTypeDef, unknown>, answer: unknown): T => {
    const parsed = shape.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw nonsense(parsed.error.issues[0]?.path.join('.') || 'all of it');
  };
  const failed = (error: ImporterFailure) =>
    new AppError(
      'internal',
      say`importer_failed: ${{ plugin }} failed: ${{ problem: error.message }}. Nothing was imported.`,
    );
  return {
    id,
    async using(work) {
      const running = open({ entry, folder, configuration });
      const read: Importer['read'] = async (files, environment) => {
        const answer = await running.call('read', [files, environment]).catch((error: unknown) => {
          if (!(error instanceof ImporterFailure) || error.kind === 'threw') throw error;
          const problem = `${plugin} needs too much time or memory to read it`;
          return { ...nothing, unreadable: { file: files[0]?.name ?? '', line: 1, problem } };
        });
        const reading = checked(importReading, answer);
        if (!reading.unreadable && reading.files.length !== files.length) throw nonsense('files');
        return reading;
      };
      const write: Required<Importer>['write'] = async (...parameters) =>
        checked(writtenFiles, await running.call('write', parameters));
      try {
        return await work({ read, write });
      } catch (error) {
        throw error instanceof ImporterFailure ? failed(error) : error;
      } finally {
        running.close();
      }
    },
  };
}

const nothing = { files: [], needs: [], checks: [], secrets: [] };

/** Throws AppError `invalid` that names those in use. */
export function importerOf(importers: readonly IsolatedImporter[], id: string): IsolatedImporter {
  const found = importers.find((each) => each.id === id);
  if (found) return found;
  const ids = importers.map((each) => each.id).join(', ') || 'none';
  throw new AppError(
    'invalid',
    say`importer_absent: The importer ${{ importer: id }} is not in use. In use: ${{ importers: ids }}. GET /api/plugins lists what failed.`,
  );
}

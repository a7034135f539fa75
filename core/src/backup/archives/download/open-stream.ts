import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { RepositoryRow } from '../../repositories/tables.js';
import type { ListingNeeds } from '../browse.js';
import { readWithTool } from '../read-with-tool.js';

export interface StreamToOpen {
  repository: RepositoryRow;
  archive: string;
  signal: AbortSignal | undefined;
  open(target: RepositoryTarget, options: OperationOptions): Readable | Promise<Readable>;
}

/**
 * Resolves with the first bytes, so that a tool that can't start still gives an error response. Holds the lane to the
 * end. Destroying the stream ends the tool and frees the lane.
 */
export function openStream(
  needs: ListingNeeds,
  { repository, archive, signal, open }: StreamToOpen,
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    readWithTool(needs, repository, {
      what: `download from archive ${archive}`,
      signal,
      work: async (target, options) => {
        const stream = await open(target, options);
        await once(stream, 'readable');
        resolve(stream);
        await finished(stream).catch(() => undefined);
      },
    }).catch(reject);
  });
}

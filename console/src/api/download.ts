import { api } from './api.js';
import { downloadAddress } from './client.js';

export type Packing = 'zip' | 'tar.gz';

interface Wanted {
  repositoryId: number;
  archive: string;
  /** '' is the whole archive. */
  paths: readonly string[];
  /** How several entries or a folder come; null: one file as it is. */
  packing: Packing | null;
}

/** Lets the browser save entries of an archive. Resolves when it has begun. */
export async function download({ repositoryId, archive, paths, packing }: Wanted): Promise<void> {
  const query = { repository_id: repositoryId, archive };
  const entries = paths.map((path) => path || '/');
  saveFrom(
    packing === null
      ? await downloadAddress(api, '/api/archives/download', {
          query: { ...query, file_path: paths[0] ?? '' },
        })
      : await downloadAddress(
          api,
          '/api/archives/download',
          { query: { ...query, format: packing } },
          { filePaths: entries },
        ),
  );
}

/** With `download`, an answer that is an error fails as a download and does not replace the page. */
export function saveFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

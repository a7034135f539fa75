import { fileURLToPath } from 'node:url';

const preload = fileURLToPath(new URL('preload.mjs', import.meta.url));
const sqliteUser = fileURLToPath(new URL('../../../plugins/storage-sqlite/dist/index.js', import.meta.url));

/** A step of the process: the `nth` of this label since the order was given, and where at it. */
export interface Point {
  label: string;
  nth: number;
  side: 'before' | 'after' | 'ended';
}

/** The environment of a service whose steps are marked: orders come by the file, files count below the folder. */
export const markedBy = (orderFile: string, folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${preload}`,
  FAULT_ORDER: orderFile,
  FAULT_FOLDER: folder,
  FAULT_SQLITE: sqliteUser,
});

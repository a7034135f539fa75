import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@holdfast/plugin-api';
import { writeWhole } from './own-files.js';
import { startTimeOf } from './scripts/process-group.js';

/** Where commands find the service of a data folder. */
export interface ServiceFile {
  pid: number;
  /** Distinguishes a later process with the same id. */
  started: string;
  url: string;
}

const pathIn = (dataDirectory: string) => join(dataDirectory, 'service.json');

/** Never rejects: the service works without it. Of several processes on one folder, the last one is in it. */
export async function writeServiceFile(dataDirectory: string, url: string, log: Log): Promise<void> {
  const content: ServiceFile = { pid: process.pid, started: startTimeOf(process.pid) ?? '', url };
  const file = { path: pathIn(dataDirectory), content: `${JSON.stringify(content)}\n`, mode: 0o600 };
  await writeWhole(file).catch((error: unknown) =>
    log.warn('service.json, with which commands find this process, could not be written', { error }),
  );
}

/** Null without a process that lives. */
export async function readServiceFile(dataDirectory: string): Promise<ServiceFile | null> {
  try {
    const found = JSON.parse(await readFile(pathIn(dataDirectory), 'utf8')) as ServiceFile;
    return startTimeOf(found.pid) === found.started ? found : null;
  } catch {
    return null;
  }
}

export async function removeServiceFile(dataDirectory: string): Promise<void> {
  if ((await readServiceFile(dataDirectory))?.pid !== process.pid) return;
  await rm(pathIn(dataDirectory), { force: true }).catch(() => undefined);
}

import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { answer } from './answers.js';
import type { HoldfastClient } from './client.js';
import type { Paths } from './schemas.js';

type ParametersOf<Path extends keyof Paths> = Paths[Path] extends { get: { parameters: infer Parameters } }
  ? Parameters
  : never;
type QueryOf<Path extends keyof Paths> =
  ParametersOf<Path> extends { query?: infer Query } ? NonNullable<Query> : never;
type TakesTicket<Path extends keyof Paths> = [QueryOf<Path>] extends [never]
  ? false
  : 'ticket' extends keyof QueryOf<Path>
    ? true
    : false;

/** Archive files and folders, and the logs of jobs. */
export type DownloadPath = Exclude<
  { [Path in keyof Paths]: TakesTicket<Path> extends true ? Path : never }[keyof Paths],
  '/api/events'
>;

export interface DownloadParameters<Path extends DownloadPath> {
  path?: ParametersOf<Path> extends { path: infer Values } ? Values : undefined;
  /** Without `file_path` if there are `filePaths`. */
  query?: Partial<Omit<QueryOf<Path>, 'ticket'>>;
}

export interface DownloadOptions {
  /** Of `/api/archives/download`: many entries, which would make an address too long. */
  filePaths?: string[];
  signal?: AbortSignal;
}

/**
 * An address that a browser downloads without a token: it works once, within a minute.
 * @throws HoldfastError
 */
export async function downloadAddress<Path extends DownloadPath>(
  client: HoldfastClient,
  path: Path,
  params: DownloadParameters<Path>,
  { filePaths, signal }: DownloadOptions = {},
): Promise<string> {
  const url = createFinalURL(path, {
    baseUrl: '',
    params: params as Record<string, Record<string, unknown>>,
    querySerializer: createQuerySerializer(),
    pathSerializer: defaultPathSerializer,
  });
  const body = { url, file_paths: filePaths };
  const ticket = await answer(client.POST('/api/download-tickets', { body, signal }));
  return client.baseUrl + ticket.url;
}

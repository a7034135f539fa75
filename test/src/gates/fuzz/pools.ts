import * as fc from 'fast-check';
import { adminPassword } from '../../server.js';
import type { World } from '../world.js';
import type { Pools } from './arbitrary-of.js';

/**
 * Fields by what their names say. What leads out of the service (hosts, addresses, paths, commands) has these values
 * and no others, so that no request reaches another machine or a folder outside of the temporary one.
 */
export function poolsOf({ closedPort, stores, source, archive }: World): Pools {
  const base = `127.0.0.1:${closedPort}`;
  const inArchive = source.slice(1);
  const rules: [RegExp, unknown[]][] = [
    [/^port$|_port$/, [closedPort]],
    [/^archive(?!s$)|^with$/, [archive, archive, 'no-such-archive', 'a'.repeat(64)]],
    [/^job_id$/, [1, 2, 3, 4, 5, 9_007_199_254_740_991]],
    [/(^|_)ids?$/, [1, 1, 1, 2, 3, 9_007_199_254_740_991]],
    [/host(name)?$/, ['127.0.0.1', 'localhost', '::1', 'not a host', '-oProxyCommand=x']],
    [
      /^url$/,
      ['/api/backup/logs/1/download', `redis://${base}/0`, `http://${base}/`, '/api/archives/download'],
    ],
    [
      /url$|uri$|endpoint|webhook/,
      [`json://${base}/`, `jsons://u:p@${base}/a?b=c`, 'json://', 'mailto:', 'x'],
    ],
    [/(^|_)script$|content$|command/, ['true', 'exit 3', 'echo "$NAME"', '#!/bin/sh\necho $A', '']],
    [/flags/, ['--one-file-system', '--exclude x', '-v --stats', '"', '--rsh x']],
    [/cron/, ['0 0 29 2 *', '1 2 3 4 *', '*/61 * * * *', '@yearly', 'x']],
    [/zone/, ['UTC', 'Europe/Berlin', 'Nowhere/City', '']],
    [/^file_path$|^paths?$/, [inArchive, `${inArchive}/file.txt`, `${source}/file.txt`, 'nowhere', '']],
    [
      /path|director|file|folder|target|destination|source|repository|prefix|mount|root/,
      [
        `${stores}/one`,
        `${stores}/two`,
        `${stores}/new/deep`,
        source,
        `${source}/file.txt`,
        'relative',
        './x',
      ],
    ],
    [/^password$|^passphrase$/, [adminPassword, adminPassword, 'another long one']],
    [/^username$/, ['admin', 'mira', 'other']],
    [/^query$/, ['file', '*.txt', '[', '**']],
  ];
  return (field) => {
    const rule = rules.find(([name]) => name.test(field));
    return rule && fc.constantFrom(...rule[1]);
  };
}

/** The same for texts: in a path or a query every value is one. */
export const asTexts =
  (pools: Pools): Pools =>
  (field) =>
    pools(field)?.map(String);

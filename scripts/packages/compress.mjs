import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Smaller files fit into one packet as they are. */
const smallest = 1_000;
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Writes a file again as `.br` and `.gz`, which the server sends to those who take them. */
export async function compress(file) {
  if (!/\.(css|js|json|svg)$/.test(file)) return;
  const content = readFileSync(file);
  if (content.length < smallest) return;
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, best));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inContainer, outputOf } from './tools.mjs';

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1).padStart(7)} MB`;

/** The unpacked size of an image, with a line per layer. @returns {Promise<{ table: string, bytes: number }>} */
export async function sizesOf(image) {
  const { OCIv1 } = JSON.parse(outputOf('buildah', 'inspect', '--type', 'image', image));
  const commands = OCIv1.history.filter(({ empty_layer }) => !empty_layer).map(commandOf);
  const known = knownLayers();
  const lines = OCIv1.rootfs.diff_ids.map((digest, n) => `${megabytes(known.get(digest))}  ${commands[n]}`);
  const bytes = await inContainer(image, (root) => Number.parseInt(outputOf('du', '-sxB1', root), 10));
  return { bytes, table: [...lines, `${megabytes(bytes)}  ${image}, unpacked`].join('\n') };
}

const commandOf = ({ created_by = '', comment = '' }) =>
  (created_by || comment)
    .replace(/^\/bin\/sh -c (#\(nop\) )?/, '')
    .replace(/\s+/g, ' ')
    .slice(0, 100);

/** The unpacked size of each layer in the store, by its digest. */
function knownLayers() {
  const { GraphRoot, GraphDriverName } = JSON.parse(outputOf('buildah', 'info')).store;
  const file = join(GraphRoot, `${GraphDriverName}-layers`, 'layers.json');
  const layers = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(layers.map((layer) => [layer['diff-digest'], layer['diff-size'] ?? 0]));
}

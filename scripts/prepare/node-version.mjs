import { PrepareError } from './say.mjs';

const needed = [20, 17];

export function checkNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  throw new PrepareError(
    `Holdfast needs Node.js ${needed.join('.')} or later; this is ${version}. Install a newer one and run the command again.`,
  );
}

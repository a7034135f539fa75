import { run } from '../prepare/run.mjs';
import { programOf } from './debian-files.mjs';

const names = ['caddy'];

/** The reverse proxy of the deployment with two instances. */
export const caddy = {
  name: 'caddy',
  neededBy: /HOLDFAST_CADDY/,
  variable: 'HOLDFAST_CADDY',
  async prepare() {
    const others = { dnf: names, pacman: names, apk: names, zypper: names, brew: names };
    const found = process.env.HOLDFAST_CADDY || (await programOf('caddy', { debian: 'caddy', others }));
    const { code, output } = await run(found, ['version'], { quiet: true });
    if (code !== 0) throw new Error(`${found} does not answer (${output.trim() || `exit code ${code}`}).`);
    return { found, env: { HOLDFAST_CADDY: found } };
  },
};

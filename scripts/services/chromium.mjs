import { findProgram, run } from '../prepare/run.mjs';
import { installWithSystem } from '../prepare/system-package.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const find = () => names.map((name) => findProgram(name)).find(Boolean);

/** The browser that opens the web console. */
export const chromium = {
  name: 'chromium',
  neededBy: /HOLDFAST_CHROMIUM/,
  variable: 'HOLDFAST_CHROMIUM',
  async prepare() {
    if (!process.env.HOLDFAST_CHROMIUM && !find()) {
      const packages = ['chromium'];
      await installWithSystem('chromium', {
        'apt-get': packages,
        dnf: packages,
        pacman: packages,
        apk: packages,
        zypper: packages,
      });
    }
    const found = process.env.HOLDFAST_CHROMIUM || find();
    if (!found) throw new Error('it was installed but is not on PATH.');
    const { code, output } = await run(found, ['--version'], { quiet: true });
    if (code !== 0) throw new Error(`${found} does not answer (${output.trim() || `exit code ${code}`}).`);
    return { found, env: { HOLDFAST_CHROMIUM: found } };
  },
};

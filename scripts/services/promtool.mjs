import { run } from '../prepare/run.mjs';
import { programOf } from './debian-files.mjs';

const packages = {
  debian: 'prometheus',
  others: {
    dnf: ['golang-github-prometheus'],
    pacman: ['prometheus'],
    apk: ['prometheus'],
    zypper: ['golang-github-prometheus-prometheus'],
    brew: ['prometheus'],
  },
};

const service = (name, variable) => ({
  name,
  neededBy: new RegExp(variable),
  variable,
  async prepare() {
    const found = process.env[variable] || (await programOf(name, packages));
    const { code, output } = await run(found, ['--version'], { quiet: true });
    if (code !== 0) throw new Error(`${found} does not answer (${output.trim() || `exit code ${code}`}).`);
    return { found, env: { [variable]: found } };
  },
});

/** Prometheus' own checker of metrics and rules. */
export const promtool = service('promtool', 'HOLDFAST_PROMTOOL');

export const prometheus = service('prometheus', 'HOLDFAST_PROMETHEUS');

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '../prepare/run.mjs';

const builder = fileURLToPath(new URL('../prepare-borg-1.4.mjs', import.meta.url));

/**
 * The newer line of the tool, for a second run of the driver's conformance suite; built in a cache folder if missing.
 */
export const borg14 = {
  name: 'borg 1.4',
  neededBy: /HOLDFAST_BORG_14/,
  variable: 'HOLDFAST_BORG_14',
  async prepare() {
    const file = process.env.HOLDFAST_BORG_14 || (await build());
    const { code, output } = await run(file, ['--version'], { quiet: true });
    if (code !== 0 || !output.startsWith('borg 1.4.')) {
      throw new Error(`${file} is not borg 1.4 (${output.trim() || `exit code ${code}`}).`);
    }
    return { found: file, env: { HOLDFAST_BORG_14: file } };
  },
};

/** The builder prints only the path of the program on stdout. */
function build() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [builder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output.trim()) : reject(new Error('its build failed, see above.')),
    );
  });
}

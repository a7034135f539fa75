import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lastLine, python, pythonPackage } from './python-package.mjs';

/** The last of each line of releases that Holdfast reads; the newest one also runs. */
const releases = ['1.7.15', '1.8.14', '1.9.14', '2.0.13'];
const newest = '2.1.10';

/** borgmatic with what it needs, and the packages of earlier releases for their schemas; stored in a cache folder. */
export const borgmatic = {
  name: 'borgmatic',
  neededBy: /TEST_BORGMATIC/,
  variable: 'TEST_BORGMATIC, a folder for PYTHONPATH',
  async prepare() {
    const found =
      process.env.TEST_BORGMATIC ||
      (await pythonPackage(`borgmatic==${newest}`, { module: 'borgmatic', compiled: true }));
    const { code, output } = await python(['-m', 'borgmatic.commands.borgmatic', '--version'], {
      env: { PYTHONPATH: found },
    });
    if (code !== 0) throw new Error(`python3 can't use the one in ${found} (${lastLine(output)}).`);
    const folders = [];
    for (const release of releases)
      folders.push(await pythonPackage(`borgmatic==${release}`, { module: 'borgmatic', alone: true }));
    const schemas = [...folders, found].map((folder) => join(folder, 'borgmatic', 'config', 'schema.yaml'));
    const missing = schemas.find((schema) => !existsSync(schema));
    if (missing) throw new Error(`there is no schema ${missing}.`);
    const env = { TEST_BORGMATIC: found, TEST_BORGMATIC_SCHEMAS: schemas.join(':') };
    return { found: `${output.trim()} in ${found}`, env };
  },
};

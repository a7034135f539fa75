import { lastLine, python, pythonPackage } from './python-package.mjs';

/** The Apprise library itself, for a small test server; stored in a cache folder. */
export const apprise = {
  name: 'Apprise',
  neededBy: /TEST_APPRISE/,
  variable: 'TEST_APPRISE, a folder for PYTHONPATH',
  async prepare() {
    const found = process.env.TEST_APPRISE || (await pythonPackage('apprise==2.2.0', { module: 'apprise' }));
    const { code, output } = await python(['-c', 'import apprise; print(apprise.__version__)'], {
      env: { PYTHONPATH: found },
    });
    if (code !== 0) throw new Error(`python3 can't use the one in ${found} (${lastLine(output)}).`);
    return { found: `${output.trim()} in ${found}`, env: { TEST_APPRISE: found } };
  },
};

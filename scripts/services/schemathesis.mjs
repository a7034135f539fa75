import { lastLine, python, pythonPackage } from './python-package.mjs';

const wanted = 'schemathesis==4.32.5 openapi-spec-validator==0.9.0';

/** Tries an API with requests made from its OpenAPI document. With a validator of such documents. */
export const schemathesis = {
  name: 'schemathesis',
  neededBy: /TEST_SCHEMATHESIS/,
  variable: 'TEST_SCHEMATHESIS, a folder for PYTHONPATH',
  async prepare() {
    const options = { module: 'schemathesis', compiled: true };
    const found = process.env.TEST_SCHEMATHESIS || (await pythonPackage(wanted, options));
    const { code, output } = await python(['-m', 'schemathesis.cli', '--version'], {
      env: { PYTHONPATH: found },
    });
    if (code !== 0) throw new Error(`python3 can't use the one in ${found} (${lastLine(output)}).`);
    return { found: `${lastLine(output)} in ${found}`, env: { TEST_SCHEMATHESIS: found } };
  },
};

import { lastLine, python, pythonPackage } from './python-package.mjs';

const wanted = 'openapi-python-client==0.29.1';
const module = 'openapi_python_client';

/**
 * Generates a Python client from an OpenAPI document, with everything that the client needs; stored in a cache
 * folder.
 */
export const openApiPythonClient = {
  name: 'openapi-python-client',
  neededBy: /TEST_OPENAPI_PYTHON_CLIENT/,
  variable: 'TEST_OPENAPI_PYTHON_CLIENT, a folder for PYTHONPATH',
  async prepare() {
    const found =
      process.env.TEST_OPENAPI_PYTHON_CLIENT || (await pythonPackage(wanted, { module, compiled: true }));
    const { code, output } = await python(['-m', module, '--version'], { env: { PYTHONPATH: found } });
    if (code !== 0) throw new Error(`python3 can't use the one in ${found} (${lastLine(output)}).`);
    return { found: `${lastLine(output)} in ${found}`, env: { TEST_OPENAPI_PYTHON_CLIENT: found } };
  },
};

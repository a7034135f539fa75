import { lastLine, python, pythonPackage } from './python-package.mjs';

/** A second provider of OpenID Connect, based on Authlib; stored in a cache folder. */
export const oidcMock = {
  name: 'oidc-provider-mock',
  neededBy: /TEST_OIDC_MOCK/,
  variable: 'TEST_OIDC_MOCK, a folder for PYTHONPATH',
  async prepare() {
    const wanted = { module: 'oidc_provider_mock', compiled: true };
    const found = process.env.TEST_OIDC_MOCK || (await pythonPackage('oidc-provider-mock==0.3.4', wanted));
    const { code, output } = await python(['-m', 'oidc_provider_mock', '--help'], {
      env: { PYTHONPATH: found },
    });
    if (code !== 0) throw new Error(`python3 can't use the one in ${found} (${lastLine(output)}).`);
    return { found, env: { TEST_OIDC_MOCK: found } };
  },
};

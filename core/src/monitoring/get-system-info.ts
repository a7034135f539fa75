import { interfaceVersion } from '@holdfast/contracts';
import type { Dependencies } from '../dependencies.js';

/** `bk_version` is null while the tool does not tell its version. */
export const getSystemInfo =
  ({ toolVersion, serverVersion }: Pick<Dependencies, 'toolVersion' | 'serverVersion'>) =>
  async () => ({
    app_version: interfaceVersion,
    bk_version: await toolVersion.line(),
    server_version: serverVersion,
  });

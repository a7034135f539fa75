import { prepareBorg } from '../prepare/borg.mjs';

/** The tool that the service itself uses: from PATH, otherwise the system's package. */
export const borg12 = {
  name: 'borg (the one on PATH)',
  variable: 'PATH',
  async prepare() {
    return { found: await prepareBorg(), env: {} };
  },
};

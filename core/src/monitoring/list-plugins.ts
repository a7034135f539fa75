import { viewPlugin } from '../plugins/plugin-view.js';
import type { Dependencies } from '../dependencies.js';

/** Asks each plugin how it is; one that does not answer in time is not healthy. */
export const listPlugins =
  ({ plugins }: Pick<Dependencies, 'plugins'>) =>
  async () => ({ success: true as const, plugins: (await plugins.describe()).map(viewPlugin) });

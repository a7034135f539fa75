import type { PluginView } from '@holdfast/contracts';
import type { PluginDescription } from './plugin-host.js';

export const viewPlugin = ({ health, notices: _, ...plugin }: PluginDescription): PluginView => ({
  ...plugin,
  healthy: plugin.chosen ? health === null : null,
  problem: health,
});

import type { PluginView } from '@holdfast/contracts';
import type { PluginDescription } from './plugin-host.js';

export const viewPlugin = ({ health, kind, notices: _, ...plugin }: PluginDescription): PluginView => ({
  ...plugin,
  kind: kind === 'importer' || kind === 'source' || kind === 'sign-in' || kind === 'states' ? null : kind,
  healthy: plugin.chosen ? health === null : null,
  problem: health,
});

import type { Dependencies } from '../dependencies.js';
import { askPlugins } from './plugin-health.js';

type Needs = Pick<Dependencies, 'plugins' | 'clock' | 'auditTrail'>;

/**
 * `status` is healthy whenever there is an answer. `ready`: the storage works. `degraded`: what does not, in words
 * for anybody; the plugin's own words may tell of addresses and paths, and are for administrators.
 */
export const getHealth = (needs: Needs) => {
  const ask = askPlugins(needs);
  return async () => {
    const plugins = await ask();
    const unwell = plugins.filter(({ health }) => health !== null);
    return {
      status: 'healthy' as const,
      service: 'holdfast' as const,
      ready: !unwell.some(({ kind }) => kind === 'storage'),
      degraded: [
        ...unwell.map(
          ({ kind, id }) =>
            `${kind === null ? 'An optional plugin' : `The ${kind} plugin ${id}`} is not well; ` +
            'GET /api/plugins tells administrators why.',
        ),
        ...[needs.auditTrail.problem() ?? []].flat(),
      ],
      notices: plugins.flatMap(({ notices }) => notices),
    };
  };
};

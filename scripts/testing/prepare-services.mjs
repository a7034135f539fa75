import { prepare } from '../prepare/index.mjs';
import { servicesFor } from '../services/index.mjs';
import { pathOfLeanBorg } from '../services/lean-borg.mjs';
import { startServices } from '../services/start-services.mjs';

/**
 * Builds what real services run, and finds, installs or starts the programs that these test files need.
 * @param {import('vitest/node').TestSpecification[]} files
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>}
 * @throws PrepareError that names what is not available
 */
export async function prepareServices(files) {
  if (files.length === 0) return { env: {}, stop: async () => {} };
  await prepare(['build', 'borg']);
  const chosen = files.map(({ moduleId, project }) => ({
    file: moduleId,
    combination: project.config.env?.TEST_COMBINATION ?? '',
  }));
  const services = servicesFor(chosen, { isDeep: process.env.TEST_RING === '3' });
  const { env, stop } = await startServices(services);
  return { env: { ...env, PATH: await pathOfLeanBorg() }, stop };
}

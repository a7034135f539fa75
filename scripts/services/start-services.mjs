import { PrepareError, say } from '../prepare/say.mjs';

/**
 * Finds or starts these services at once. Resolves to the variables by which tests find them and a function to stop them.
 * @throws PrepareError that names each one that is not available
 */
export async function startServices(services) {
  const started = [];
  const missing = [];
  const env = {};
  const start = async ({ name, variable, prepare }) => {
    try {
      const service = await prepare();
      started.push(service);
      Object.assign(env, service.env);
      say(`${name}: ${service.found}`);
    } catch (error) {
      missing.push(
        `The tests need ${name}, which is not available: ${error.message} (Searched: ${variable}.)`,
      );
    }
  };
  const stop = () => Promise.all(started.map((service) => service.stop?.()));
  await Promise.all(services.map(start));
  if (missing.length === 0) return { env, stop };
  await stop();
  throw new PrepareError(missing.join('\n'));
}

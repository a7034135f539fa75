import { PrepareError, say } from '../prepare/say.mjs';

/**
 * Finds or starts these services. Resolves to the variables by which tests find them and a function to stop them.
 * @throws PrepareError that names the first one that is not available
 */
export async function startServices(services) {
  const started = [];
  const env = {};
  const stop = async () => {
    for (const service of started.reverse()) await service.stop?.();
  };
  for (const { name, variable, prepare } of services) {
    try {
      const service = await prepare();
      started.push(service);
      Object.assign(env, service.env);
      say(`${name}: ${service.found}`);
    } catch (error) {
      await stop();
      throw new PrepareError(
        `The tests need ${name}, which is not available: ${error.message} (Searched: ${variable}.)`,
      );
    }
  }
  return { env, stop };
}

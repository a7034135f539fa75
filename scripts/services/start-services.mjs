import { PrepareError, say } from '../prepare/say.mjs';

/**
 * Finds or starts these services. Resolves to what the tests find them by and how to stop them.
 * @throws PrepareError that names the first one that is not to be had
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
        `The tests need ${name}, and it is not to be had: ${error.message} (It is looked for by ${variable}.)`,
      );
    }
  }
  return { env, stop };
}

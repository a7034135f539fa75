/** With `--import`: replaces the service's driver by one that does nothing, so that only the service is measured. */
import { register } from 'node:module';

const driver = new URL('./driver.mjs', import.meta.url).href;
const hooks = `export const resolve = async (specifier, context, next) => {
  const found = await next(specifier, context);
  return /\\/driver-borg\\/dist\\/index\\.js$/.test(found.url) ? { ...found, url: ${JSON.stringify(driver)} } : found;
};`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

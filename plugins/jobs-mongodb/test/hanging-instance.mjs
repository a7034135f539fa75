// An instance of its own process, whose handler prints the key and never returns.
import plugin from '../dist/index.js';

const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const timers = await plugin.create({ configuration: { uri: process.env.URI }, log });
timers.onDue((key) => {
  console.log(key);
  return new Promise(nothing);
});
await timers.start();

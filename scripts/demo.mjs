#!/usr/bin/env node
/**
 * `npm run demo`: the service with invented data, to try it out and for pictures. Everything is in one folder,
 * `.demo` or `--folder DIR`. The next start keeps changes; `--fresh` makes it again. `--port` chooses the port.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './prepare/index.mjs';
import { root } from './prepare/root.mjs';
import { stopWith } from './prepare/say.mjs';

const text = { type: 'string' };
const options = { folder: text, port: text, fresh: { type: 'boolean' } };
const { values } = parseArgs({ options });
await prepare().catch(stopWith);
const { password, startDemo, username } = await import('./demo/index.mjs');

const stopped = new Promise((done) => {
  process.once('SIGINT', () => done({})).once('SIGTERM', () => done({}));
});
let running;
const starting = startDemo({
  folder: resolve(values.folder ?? `${root}/.demo`),
  port: values.port ?? 0,
  fresh: values.fresh,
  say: (line) => console.log(line),
  heard: (message) => console.log(`Message to Team chat: ${titleOf(message)}`),
  started: (service) => {
    running = service;
  },
});
const demo = await Promise.race([starting, stopped]).catch(stopWith);
if (!demo.url) {
  await running?.stop();
  process.exit(130);
}
console.log(`\nHoldfast runs at ${demo.url}\nUser ${username}, password ${password}\nCtrl+C ends it.`);
await stopped;
await demo.stop();

function titleOf(message) {
  try {
    return JSON.parse(message).title;
  } catch {
    return message;
  }
}

#!/usr/bin/env node
/** `npm start`: prepares what is missing, then becomes the service itself (same process, so signals reach it). */
import { checkNodeVersion } from './prepare/node-version.mjs';
import { stopWith } from './prepare/say.mjs';

// First: older versions may not understand the rest.
try {
  checkNodeVersion();
} catch (error) {
  stopWith(error);
}
const { prepare } = await import('./prepare/index.mjs');
await prepare().catch(stopWith);
await import('../server/dist/main.js');

#!/usr/bin/env node
/** `npm start`: prepares what is missing, then becomes the service itself (same process, so signals reach it). */
import { prepare } from './prepare/index.mjs';
import { stopWith } from './prepare/say.mjs';

await prepare().catch(stopWith);
await import('../server/dist/main.js');

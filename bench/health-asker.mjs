/**
 * A thread that requests `/health` until it gets a message, and answers with the times in ms. It is a load balancer
 * with its own event loop, so that the time for parsing the browsers' answers is not measured.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, everyMs } = workerData;
let asking = true;
parentPort.once('message', () => {
  asking = false;
});

const times = [];
while (asking) {
  const began = performance.now();
  await (await fetch(`${url}/health`)).text();
  times.push(performance.now() - began);
  await pause(everyMs);
}
parentPort.postMessage(times);

/**
 * A thread that asks `/health` until it gets a message, and answers with the times in ms: a load balancer with a loop
 * of its own, so that what the browsers of the benchmark have to parse is not measured.
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

import { closeSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { StepWatch } from '@holdfast/core/server';

/**
 * Added to the timeout of a step, so that the main thread reports a hanging step first if it is not blocked.
 */
const graceMs = 1_000;
/** How long a blocked main thread has to exit before the process is killed. */
const exitMs = 1_000;
/** The watching thread ends when no step has run for this long. */
const idleMs = 2_000;

const event = 'holdfast:stuck';

/**
 * Runs in a separate thread. The inspector can interrupt a busy loop. If it can't, for example during a
 * blocking system call, the process is killed.
 */
const program = `
const { parentPort } = require('node:worker_threads');
const timers = new Map();
const end = (sentence) => {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  const expression = 'globalThis.process.emit(${JSON.stringify(event)}, ' + JSON.stringify(sentence) + ')';
  session.post('Runtime.evaluate', { expression });
  setTimeout(() => {
    require('node:fs').writeSync(2, sentence + '\\n');
    process.kill(process.pid, 'SIGKILL');
  }, ${exitMs});
};
// On a busy machine the message that the step has ended may still be in transit.
const late = (step, sentence) => timers.set(step, setTimeout(end, 200, sentence));
parentPort.on('message', ({ step, sentence, ms }) => {
  clearTimeout(timers.get(step));
  timers.delete(step);
  if (sentence !== null) timers.set(step, setTimeout(late, ms, step, sentence));
});
`;

/**
 * Ends the process with the message of a step and exit code 1 if plugin code blocks this thread during the
 * step.
 */
export function watchForStuck(): StepWatch {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = () => {
    (process as NodeJS.EventEmitter).off(event, endProcess);
    void worker?.terminate();
    worker = null;
  };
  const post = (message: { step: number; sentence: string | null; ms?: number }) => {
    clearTimeout(idle);
    if (!worker) {
      (process as NodeJS.EventEmitter).once(event, endProcess);
      worker = new Worker(program, { eval: true, env: {}, execArgv: [] });
      worker.unref();
    }
    worker.postMessage(message);
  };
  let steps = 0;
  return (sentence, ms) => {
    const step = ++steps;
    const begin = () => post({ step, sentence, ms: ms + graceMs });
    begin();
    return (goesOn) => {
      if (goesOn) return begin();
      post({ step, sentence: null });
      idle = setTimeout(end, idleMs).unref();
    };
  };
}

function endProcess(sentence: string): never {
  writeSync(2, `${sentence}\n`);
  // Suppresses the inspector messages of Node on standard error.
  closeSync(2);
  process.exit(1);
}

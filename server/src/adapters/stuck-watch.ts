import { closeSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { StepWatch } from '@holdfast/core/server';

/** After the time of a step: this thread, when it is not stuck, is the first to tell of a step that hangs. */
const graceMs = 1_000;
/** How long a thread that is stuck has to end by itself. */
const patienceMs = 1_000;
/** The thread is there for as long as steps follow each other. */
const idleMs = 2_000;

const event = 'holdfast:stuck';

/**
 * In a thread of its own. An evaluation by the inspector is let in between two turns of a loop; where it is not, as in a
 * wait of the operating system, the process is killed.
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
  }, ${patienceMs});
};
// On a busy machine the end of the step may have been told already, and not heard yet.
const late = (step, sentence) => timers.set(step, setTimeout(end, 200, sentence));
parentPort.on('message', ({ step, sentence, ms }) => {
  clearTimeout(timers.get(step));
  timers.delete(step);
  if (sentence !== null) timers.set(step, setTimeout(late, ms, step, sentence));
});
`;

/** Ends the process with the sentence of a step, exit code 1, when code of a plugin keeps this thread busy in it. */
export function watchForStuck(): StepWatch {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = () => {
    (process as NodeJS.EventEmitter).off(event, endProcess);
    void worker?.terminate();
    worker = null;
  };
  const tell = (message: { step: number; sentence: string | null; ms?: number }) => {
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
    const begin = () => tell({ step, sentence, ms: ms + graceMs });
    begin();
    return (goesOn) => {
      if (goesOn) return begin();
      tell({ step, sentence: null });
      idle = setTimeout(end, idleMs).unref();
    };
  };
}

function endProcess(sentence: string): never {
  writeSync(2, `${sentence}\n`);
  // Node would tell of the inspector there.
  closeSync(2);
  process.exit(1);
}

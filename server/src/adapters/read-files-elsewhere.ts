import { Worker } from 'node:worker_threads';
import { type FilesRead, inTurn, type ReadFiles } from '@holdfast/core/server';

/** Far more than files of borgmatic need, on a busy machine too. */
const longestMs = 20_000;
const resourceLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: 2 };

const program = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.core)
  .then(({ readFiles }) => readFiles(workerData.files, workerData.given))
  .then((read) => parentPort.postMessage(read));
`;

const oneByOne = inTurn();

/** In a thread that ends when it takes too long or too much memory. One at a time. */
export const readFilesElsewhere: ReadFiles = (files, given) => oneByOne(() => readInThread(files, given));

function readInThread(...[files, given]: Parameters<ReadFiles>): Promise<FilesRead> {
  const core = import.meta.resolve('@holdfast/core/server');
  const options = { eval: true, env: {}, execArgv: [], resourceLimits };
  const worker = new Worker(program, { ...options, workerData: { core, files, given } });
  const timer = setTimeout(() => void worker.terminate(), longestMs);
  const tooMuch = {
    file: files[0]?.name ?? '',
    line: 1,
    problem: 'reading it takes too long or too much memory',
  };
  return new Promise<FilesRead>((resolve) => {
    const giveUp = () => resolve({ trees: [], asked: [], unreadable: tooMuch });
    worker.once('message', resolve).once('error', giveUp).once('exit', giveUp);
  }).finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

export interface NodeRun {
  code: number | null;
  /** What it wrote, both streams. */
  output: string;
}

/** Runs a program of Node's to its end. */
export function runNode(
  parameters: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<NodeRun> {
  const child = spawn(process.execPath, parameters, {
    cwd,
    // What vitest sets for its own workers is not for programs of others.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

export const compile = (folder: string) => runNode([compiler, '-p', folder], { cwd: folder });

/** Where the tests of the repository have their services. */
const services = () => Object.entries(process.env).filter(([name]) => name.startsWith('TEST_'));

/** Runs tests with Node's own runner; resolves to how many passed and what it said of the others. */
export async function runTests(folder: string, file: string) {
  const env = Object.fromEntries(services()) as Record<string, string>;
  const { code, output } = await runNode(['--test', '--test-reporter=tap', file], { cwd: folder, env });
  const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0);
  return { code, passed, failures: code === 0 ? '' : output.slice(-8000) };
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The Python that has borg's modules. */
export const borgPython = (): string => {
  const borg = execFileSync('sh', ['-c', 'command -v borg'], { encoding: 'utf8' }).trim();
  return /^#!\s*(\S+)/.exec(readFileSync(borg, 'utf8').slice(0, 200))?.[1] ?? 'python3';
};

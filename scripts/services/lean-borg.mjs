import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { findProgram, run } from '../prepare/run.mjs';

const folder = join(root, '.cache', 'lean');

/**
 * The borg on PATH, started without the checks that it makes of itself each time and without Python's site packages, and
 * making keys that are weak but quick to open: two thirds of what a short command costs, and tests give thousands. Resolves
 * to the PATH that has it first; to the present one when that borg is no script of Python's.
 */
export async function pathOfLeanBorg() {
  const { PATH } = process.env;
  const [, python] = /^#!\s*(\/\S*python[\d.]*)\s*\n/.exec(readFileSync(findProgram('borg'), 'latin1')) ?? [];
  if (!python) return PATH;
  const where = 'import borg, os; print(os.path.dirname(os.path.dirname(borg.__file__)))';
  const { code, output } = await run(python, ['-c', where], { quiet: true });
  if (code !== 0) return PATH;
  const program = `#!${python} -S
import sys, types
sys.path.append(${JSON.stringify(output.trim())})
selftest = sys.modules['borg.selftest'] = types.ModuleType('borg.selftest')
selftest.selftest = lambda logger: None
import borg.constants
borg.constants.PBKDF2_ITERATIONS = 1000
from borg.archiver import main
sys.exit(main())
`;
  mkdirSync(folder, { recursive: true });
  const fresh = join(folder, `borg-${process.pid}`);
  writeFileSync(fresh, program, { mode: 0o755 });
  renameSync(fresh, join(folder, 'borg'));
  return `${folder}${delimiter}${PATH}`;
}

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { findProgram, run } from '../prepare/run.mjs';

const ownFolder = join(root, '.cache', 'lean');

/**
 * The borg on PATH, started without its self-checks and without Python's site packages, and creating keys that are
 * weak but quick to open. It does not wait for the disk, because no test cuts the power, and it takes back the low
 * priority that the driver gives it, or it would wait for all other tests. This saves two thirds of a short command's
 * time, and tests run thousands. Resolves to a PATH with this borg first, in `folder`; to the present PATH if borg is
 * not a Python script.
 */
export async function pathOfLeanBorg(folder = ownFolder) {
  const { PATH } = process.env;
  const [, python] = /^#!\s*(\/\S*python[\d.]*)\s*\n/.exec(readFileSync(findProgram('borg'), 'latin1')) ?? [];
  if (!python) return PATH;
  const where = 'import borg, os; print(os.path.dirname(os.path.dirname(borg.__file__)))';
  const { code, output } = await run(python, ['-c', where], { quiet: true });
  if (code !== 0) return PATH;
  // The driver lowers the priority beside the start, so it is raised at once and again: at a low one, Python alone
  // takes seconds to start beside others.
  const program = `#!/bin/sh
''''echo 0 2>/dev/null >/proc/self/autogroup; exec ${python} -S "$0" "$@" #'''
import os, sys, types
def hurry():
    try:
        open('/proc/self/autogroup', 'w').write('0')
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    except OSError:
        pass
hurry()
os.fsync = os.fdatasync = lambda file: None
sys.path.append(${JSON.stringify(output.trim())})
selftest = sys.modules['borg.selftest'] = types.ModuleType('borg.selftest')
selftest.selftest = lambda logger: None
import borg.constants
borg.constants.PBKDF2_ITERATIONS = 1000
from borg.archiver import main
hurry()
sys.exit(main())
`;
  mkdirSync(folder, { recursive: true });
  const fresh = join(folder, `borg-${process.pid}`);
  writeFileSync(fresh, program, { mode: 0o755 });
  renameSync(fresh, join(folder, 'borg'));
  return `${folder}${delimiter}${PATH}`;
}

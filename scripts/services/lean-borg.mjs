import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { findProgram, run } from '../prepare/run.mjs';

const ownFolder = join(root, '.cache', 'lean');

/**
 * The driver lowers the priority of each tool and, beside its start, that of its session, to one twenty-eighth of
 * what others get. This waits for the second, takes it back, and does not do the first.
 */
const nice = `#!/bin/sh
[ "$1 $2" = '-n 15' ] || exec /usr/bin/nice "$@"
shift 2
[ "$1" = true ] || for _ in $(seq 50); do
  read -r group </proc/self/autogroup || break
  case $group in *'nice 15') break ;; esac
  sleep 0.01
done 2>/dev/null
echo 0 2>/dev/null >/proc/self/autogroup
exec "$@"
`;

/**
 * The borg on PATH, started without its self-checks and without Python's site packages, at the usual priority, and
 * creating keys that are weak but quick to open. It does not wait for the disk, because no test cuts the power.
 * Resolves to a PATH with this borg first, in `folder`; to the present PATH if borg is not a Python script.
 */
export async function pathOfLeanBorg(folder = ownFolder) {
  const { PATH } = process.env;
  const [, python] = /^#!\s*(\/\S*python[\d.]*)\s*\n/.exec(readFileSync(findProgram('borg'), 'latin1')) ?? [];
  if (!python) return PATH;
  const where = 'import borg, os; print(os.path.dirname(os.path.dirname(borg.__file__)))';
  const { code, output } = await run(python, ['-c', where], { quiet: true });
  if (code !== 0) return PATH;
  const program = `#!${python} -S
import os, sys, types
os.fsync = os.fdatasync = lambda file: None
sys.path.append(${JSON.stringify(output.trim())})
selftest = sys.modules['borg.selftest'] = types.ModuleType('borg.selftest')
selftest.selftest = lambda logger: None
import borg.constants
borg.constants.PBKDF2_ITERATIONS = 1000
from borg.archiver import main
sys.exit(main())
`;
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries({ borg: program, nice })) {
    const fresh = join(folder, `${name}-${process.pid}`);
    writeFileSync(fresh, script, { mode: 0o755 });
    renameSync(fresh, join(folder, name));
  }
  return `${folder}${delimiter}${PATH}`;
}

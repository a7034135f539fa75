import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writers of a repository of this name begin when they are released, or after five minutes. */
export const heldName = 'held';
const heldSeconds = 300;

/**
 * borg as the services find it: before a command that writes it takes a lock of the kernel, and then becomes the real
 * borg. The lock goes with the process, however that ends, so who finds it taken writes beside another one.
 */
const script = (folder: string, borg: string) => `#!/bin/sh
job=- repository=
for word in "$@"; do
  case $word in --comment=*) job=\${word%:itself} job=\${job##*:} ;; esac
  [ "$before" = -- ] && [ -z "$repository" ] && repository=\${word%%::*}
  before=$word
done
case $1 in create | delete | prune | compact)
  name=\${repository##*/}
  exec 9>>"${folder}/$name.lock"
  if flock --nonblock 9; then found=alone; else found=beside; fi
  echo "$found $1 $name $job" >>"${folder}/writers"
  seconds=0
  while [ "$1 $name" = "create ${heldName}" ] && [ $seconds -lt ${heldSeconds} ]; do
    [ -e "${folder}/released-$job" ] && break
    sleep 1 9>&-
    seconds=$((seconds + 1))
  done ;;
esac
exec ${borg} "$@"
`;

export interface Writer {
  found: 'alone' | 'beside';
  verb: string;
  /** The last part of the repository's path. */
  repository: string;
  /** Of a `create`: the `uid` of the job, from the comment of the archive. */
  job: string | null;
}

/** Who wrote to which repository, and whether alone: noted by the tool itself as it begins. */
export class WriterRecord {
  /** For the PATH of the services. */
  readonly bin: string;
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string, borg = realBorg()) {
    this.bin = join(folder, 'bin');
    this.#folder = folder;
    this.#file = join(folder, 'writers');
    mkdirSync(this.bin, { recursive: true });
    appendFileSync(this.#file, '');
    writeFileSync(join(this.bin, 'borg'), script(folder, borg));
    chmodSync(join(this.bin, 'borg'), 0o755);
  }

  /** Lets the held writer of a job begin. */
  release(job: string): void {
    writeFileSync(join(this.#folder, `released-${job}`), '');
  }

  get writers(): Writer[] {
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => {
      const [found, verb = '', repository = '', job] = line.split(' ');
      return { found: found as Writer['found'], verb, repository, job: job === '-' ? null : (job ?? null) };
    });
  }
}

const realBorg = () => execFileSync('sh', ['-c', 'command -v borg'], { encoding: 'utf8' }).trim();

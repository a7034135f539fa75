import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFacts {
  pid: number;
  parent: number;
  uid: number;
  /** Arguments joined by blanks. */
  command: string;
  /** `KEY=value` pairs joined by line breaks; empty where it may not be read. */
  environment: string;
  state: string;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Every process that lives now; zombies are not counted. */
export function allProcesses(): ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(),
      environment: read(`/proc/${name}/environ`).replaceAll('\0', '\n'),
      state: /\) (\S)/.exec(read(`/proc/${name}/stat`))?.[1] ?? 'gone',
      uid: Number(/^Uid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1] ?? -1),
      parent: Number(/\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1] ?? 0),
    }))
    .filter(({ state, command }) => state !== 'gone' && state !== 'Z' && command !== '');
}

/** The borg processes that work below a folder of a test. */
export function borgProcesses(folder: string): ProcessFacts[] {
  return allProcesses().filter(
    ({ pid, command }) => pid !== process.pid && /(^|[/ ])borg /.test(command) && command.includes(folder),
  );
}

/** Ends them by SIGKILL; one may have ended by itself since it was seen. */
export function killAll(processes: readonly { pid: number }[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The processes that one started, and those that they started. */
export function descendantsOf(pid: number, all = allProcesses()): ProcessFacts[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

/** The children with a thread that waits for a device or file system and can't be killed. */
export function unkillableChildren(pid: number): string[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  const threads = (child: string) =>
    existsSync(`/proc/${child}/task`) ? readdirSync(`/proc/${child}/task`) : [];
  return children.filter((child) =>
    threads(child).some((thread) => /\) D /.test(read(`/proc/${child}/task/${thread}/stat`))),
  );
}

/** True when the process has a file below the folder open. */
export function hasOpenFileBelow(pid: number, folder: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith(folder);
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

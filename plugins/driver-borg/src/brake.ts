import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { keepWithin, type SpeedLimit } from '@holdfast/plugin-api/driver';

/** Continues ssh when the service died while it was stopped: the tool would wait for its end. */
const guard = 'read -r _; kill -CONT "$0"';

/**
 * Keeps the `ssh` of a tool within the limit of its connection by stopping and continuing it, so that no byte passes
 * through this process. Returns a function that ends this.
 */
export function brake(tool: number, speed: SpeedLimit): () => void {
  let ssh: number | null = null;
  let guarding: ChildProcess | null = null;
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    try {
      if (ssh !== null) process.kill(ssh, name);
    } catch {
      // It has ended.
    }
  };
  const guardSsh = (pid: number) => {
    const child = spawn('/bin/sh', ['-c', guard, String(pid)], {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    child.on('error', () => {});
    child.once('close', () => {
      guarding = null;
      signal('SIGCONT');
    });
    return child;
  };
  const end = keepWithin(speed, {
    bytes: () => {
      ssh ??= sshBelow(tool);
      return ssh === null ? 0 : writtenBy(ssh);
    },
    hold: (isHeld) => {
      if (isHeld && ssh !== null) guarding ??= guardSsh(ssh);
      if (!isHeld || guarding?.pid !== undefined) signal(isHeld ? 'SIGSTOP' : 'SIGCONT');
    },
  });
  return () => {
    end();
    guarding?.kill('SIGKILL');
  };
}

/** The first one: others below it connect it through jump hosts. */
function sshBelow(pid: number | string): number | null {
  for (const child of contentOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)) {
    const found = contentOf(`/proc/${child}/comm`) === 'ssh\n' ? Number(child) : sshBelow(child);
    if (found !== null) return found;
  }
  return null;
}

/** Its network connection and its output together: each byte once. */
const writtenBy = (pid: number): number =>
  Number(/^wchar: (\d+)/m.exec(contentOf(`/proc/${pid}/io`))?.[1] ?? 0);

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

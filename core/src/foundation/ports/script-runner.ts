import type { ToolProcess } from '@holdfast/plugin-api/driver';

export interface ScriptOrder {
  /** Shell text; Windows line endings are accepted. */
  content: string;
  /**
   * Added to the variables that every script gets (PATH, HOME, LANG), which it overrides. Nothing else is
   * passed on.
   */
  environment: Readonly<Record<string, string>>;
  timeoutSeconds: number;
  /** Aborting ends the script with its process group. */
  signal?: AbortSignal;
  /**
   * Called with the process before the first command of the script. The script starts when it resolves, and
   * never starts when it rejects or this process dies first.
   */
  onProcess?(process: ToolProcess): Promise<void>;
  /**
   * Called for each line of output as it arrives. A long output is shortened to its head, a line about the
   * gap, and its tail.
   */
  onLine?(line: ScriptLine): void;
}

export interface ScriptLine {
  stream: 'stdout' | 'stderr';
  text: string;
}

export interface ScriptResult {
  /** `not_started`: `problem` says why. */
  end: 'exited' | 'timed_out' | 'aborted' | 'not_started';
  /** -1 unless it exited; 128 + n after signal n. */
  exitCode: number;
  /** One sentence when it was not started, else null. */
  problem: string | null;
  /** Limited in size; a line marks where output was left out. Not redacted. */
  stdout: string;
  stderr: string;
  seconds: number;
}

/** Runs shell scripts, each without standard input and in a process group of its own. */
export interface ScriptRunner {
  /**
   * Rejects only when `onProcess` rejects, with the same error. Background processes that the script leaves
   * behind keep running.
   */
  run(order: ScriptOrder): Promise<ScriptResult>;
  /**
   * Ends a script that an earlier run of the service left behind, with its process group, if it is still the
   * same process. `elsewhere`: it belongs to another machine or an earlier boot of this one.
   */
  endProcess(process: ToolProcess): Promise<'ended' | 'gone' | 'elsewhere'>;
}

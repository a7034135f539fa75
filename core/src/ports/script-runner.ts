import type { ToolProcess } from '@holdfast/plugin-api/driver';

export interface ScriptOrder {
  /** Shell text; line ends of Windows are taken too. */
  content: string;
  /**
   * Beside the few variables that every script gets (PATH, HOME, LANG); these win. Nothing else is passed on.
   */
  environment: Readonly<Record<string, string>>;
  timeoutSeconds: number;
  /** Aborting ends the script with its process group. */
  signal?: AbortSignal;
  /**
   * Called with the process before the first command of the script; the script begins when it resolves, and
   * never begins when it rejects or this process dies meanwhile.
   */
  onProcess?(process: ToolProcess): Promise<void>;
  /**
   * Lines of the output as they come; of a long one first the head, then a line that tells of the gap, then
   * the tail.
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
  /** One sentence, when it was not started. */
  problem: string | null;
  /** Bounded; where lines are left out one line says so. Not redacted. */
  stdout: string;
  stderr: string;
  seconds: number;
}

/** Runs shell scripts, each without standard input and in a process group of its own. */
export interface ScriptRunner {
  /**
   * Rejects only with what `onProcess` rejected with. A background process that the script leaves behind
   * stays.
   */
  run(order: ScriptOrder): Promise<ScriptResult>;
  /**
   * Ends a script that an earlier run of the service left behind, with its group, when it still is that one.
   * `elsewhere`: it belongs to another machine or an earlier start of this one.
   */
  endProcess(process: ToolProcess): Promise<'ended' | 'gone' | 'elsewhere'>;
}

import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DriverError } from '@holdfast/plugin-api/driver';
import { findTool } from './launch.js';

const run = promisify(execFile);
const slowestAnswerMs = 30_000;
/** A tool that takes longer for its first answer may have a problem. */
const firstAnswerMs = 3_000;

export interface ToolVersion {
  name: string;
  version: string;
  line: string;
}

/** The tool begins it with the name of its file, such as `borg-linux64`. */
export const versionOf = /^(?:\S+|.*borg.*) (\d+)\.(\d+)(\S*)$/;

/** Throws `tool_too_old` before 1.2. borg 2 has other commands and another format, so it counts as missing. */
export function checkVersion(line: string): ToolVersion {
  const match = versionOf.exec(line);
  if (!match) throw new DriverError('tool_missing', 'The program configured as borg is not Borg.');
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major < 1 || (major === 1 && minor < 2))
    throw new DriverError('tool_too_old', `${line} is too old. Install Borg 1.2 or 1.4.`);
  if (major > 1) throw new DriverError('tool_missing', `${line} is not supported. Install Borg 1.2 or 1.4.`);
  return { name: 'borg', version: `${match[1]}.${match[2]}${match[3]}`, line };
}

async function versionLine(program: string, stopping: AbortSignal): Promise<string> {
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: '/nonexistent' };
  try {
    const { stdout } = await run(program, ['--version'], {
      env,
      timeout: slowestAnswerMs,
      signal: stopping,
      maxBuffer: 65_536,
    });
    return stdout.trim().split('\n')[0] ?? '';
  } catch (cause) {
    throw new DriverError(
      'tool_missing',
      'The program configured as borg cannot be run. Install Borg 1.2 or 1.4.',
      {
        cause,
      },
    );
  }
}

/** Asks once per state of the program's file, which may be replaced while we run. */
export class ToolCheck {
  private checked: { key: string; result: Promise<ToolVersion> } | null = null;
  private firstAskedAt: number | null = null;
  private answered = false;
  constructor(
    private readonly binary: string,
    private readonly stopping: AbortSignal,
  ) {}

  /** The program's path, once its version has been accepted. */
  async program(): Promise<string> {
    return (await this.#ask()).program;
  }

  async version(): Promise<ToolVersion> {
    return (await this.#ask()).version;
  }

  /**
   * One sentence, or null. While the first answer is pending, only checks that the program exists: a start need not
   * wait.
   */
  async problem(): Promise<string | null> {
    const asked = this.#ask().then(() => null, messageOf);
    this.firstAskedAt ??= performance.now();
    if (this.answered || performance.now() - this.firstAskedAt > firstAnswerMs) return asked;
    return findTool(this.binary).then(() => null, messageOf);
  }

  async #ask() {
    const program = await findTool(this.binary);
    const { mtimeMs, size, ino } = await stat(program);
    const key = [program, mtimeMs, size, ino].join(':');
    if (this.checked?.key !== key)
      this.checked = { key, result: versionLine(program, this.stopping).then(checkVersion) };
    const { result } = this.checked;
    try {
      return { program, version: await result };
    } catch (error) {
      if (this.checked?.result === result) this.checked = null;
      throw error;
    } finally {
      this.answered = true;
    }
  }
}

const messageOf = ({ message }: Error): string => message;

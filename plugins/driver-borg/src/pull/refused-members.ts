import { ArchiveShape, DriverError, type OperationOptions } from '@holdfast/plugin-api/driver';
import { gathered } from './tar-blocks.js';
import { acceptedMembers, type TarMember } from './tar-members.js';

const mostKept = 50;
const longestName = 300;

/**
 * What a host sent that no archive may hold: names and links that lead out of the folder into which they are brought
 * back one day. A host that does that is broken or somebody else's.
 */
export class RefusedMembers {
  readonly #shape = new ArchiveShape();
  readonly #warnings: string[] = [];
  #refused = 0;
  #kept = 0;

  constructor(private readonly onLog: OperationOptions['onLog']) {}

  /** The stream without them. DriverError `failed` at its end when nothing else was in it. */
  async *without(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* gathered(acceptedMembers(stream, (member) => this.#accepts(member)));
    if (this.#refused > 0 && this.#kept === 0)
      throw new DriverError('failed', `The host sent nothing that may be kept. ${this.#warnings[0]}`);
  }

  #accepts(member: TarMember): boolean {
    const reason = this.#shape.take(member);
    if (reason === null) {
      if (member.type !== 'directory') this.#kept += 1;
      return true;
    }
    this.#refused += 1;
    const warning = `${shown(member.path)}: refused, for ${reason}.`;
    if (this.#warnings.length < mostKept) {
      this.#warnings.push(warning);
      this.onLog?.({ level: 'warning', text: warning });
    }
    return false;
  }

  all(): string[] {
    const more = this.#refused - this.#warnings.length;
    return more > 0 ? [...this.#warnings, `${more} more files were refused.`] : this.#warnings;
  }
}

/** Names come as bytes, and may hold anything. */
const shown = (path: string): string =>
  Buffer.from(path, 'latin1')
    .toString('utf8')
    .replace(/\p{Cc}/gu, '?')
    .slice(0, longestName);

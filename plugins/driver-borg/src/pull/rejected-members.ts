import { ArchiveShape, DriverError, type OperationOptions } from '@holdfast/plugin-api/driver';
import { gathered } from './tar-blocks.js';
import { acceptedMembers, type TarMember } from './tar-members.js';

const maxWarnings = 50;
const longestName = 300;

/**
 * Rejects what no archive may contain: names and links that would lead out of the folder of a later restore. A host
 * that sends them is broken or compromised.
 */
export class RejectedMembers {
  readonly #shape = new ArchiveShape();
  readonly #warnings: string[] = [];
  #rejected = 0;
  #accepted = 0;

  constructor(private readonly onLog: OperationOptions['onLog']) {}

  /** The stream without them. Throws DriverError `failed` at its end if nothing else was in it. */
  async *without(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const accepts = (member: TarMember) => this.#accepts(member);
    yield* gathered(acceptedMembers(stream, accepts, () => this.#assertSome()));
  }

  #assertSome(): void {
    if (this.#rejected > 0 && this.#accepted === 0)
      throw new DriverError('failed', `The host sent nothing that may be archived. ${this.#warnings[0]}`);
  }

  #accepts(member: TarMember): boolean {
    const reason = this.#shape.take(member);
    if (reason === null) {
      if (member.type !== 'directory') this.#accepted += 1;
      return true;
    }
    this.#rejected += 1;
    const warning = `${shown(member.path)}: rejected because ${reason}.`;
    if (this.#warnings.length < maxWarnings) {
      this.#warnings.push(warning);
      this.onLog?.({ level: 'warning', text: warning });
    }
    return false;
  }

  all(): string[] {
    const more = this.#rejected - this.#warnings.length;
    return more > 0 ? [...this.#warnings, `${more} more files were rejected.`] : this.#warnings;
  }
}

/** Names are bytes and may contain anything. */
const shown = (path: string): string =>
  Buffer.from(path, 'latin1')
    .toString('utf8')
    .replace(/\p{Cc}/gu, '?')
    .slice(0, longestName);

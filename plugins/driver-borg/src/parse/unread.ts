import type { UnreadPaths } from '@holdfast/plugin-api/driver';

const mostPaths = 100;

/** A call that failed, with its error number: `/srv/a: open: [Errno 13] Permission denied: 'a'`. */
const ofTool = /^(.+?): \w+: \[Errno (\d+)\]/s;
const denied = new Set([1, 13]);
/** It went away meanwhile, was never a file, or has no such attribute. */
const harmless = new Set([2, 20, 40, 61, 95]);

const ofTar =
  /^(\/.*): (?:Warning: )?(?:Cannot (?:open|read|stat|savedir|readlink|fstat|seek)|Read error at byte \d+, while reading \d+ bytes): (.*)$/s;
const deniedByName = /^(?:Permission denied|Operation not permitted)/;
const goneByName = /^(?:No such file or directory|Not a directory)/;

const changed =
  /: file changed (?:while we backed it up|as we read it)$|: File shrank by \d+ bytes; padding with zeros$/;

/** What the tool, or tar, says of files that it could not read, bounded. */
export class Unread {
  changedFiles = 0;
  readonly #denied = new Set<string>();
  readonly #failed = new Set<string>();
  #more = 0;

  /** False for what is only counted: a file that somebody writes to. */
  take(text: string): boolean {
    if (changed.test(text)) {
      this.changedFiles += 1;
      return false;
    }
    const [, path, number] = ofTool.exec(text) ?? [];
    if (path !== undefined && !harmless.has(Number(number))) this.#add(path, denied.has(Number(number)));
    const [, name, why = ''] = path === undefined ? (ofTar.exec(text) ?? []) : [];
    if (name !== undefined && !goneByName.test(why)) this.#add(name, deniedByName.test(why));
    return true;
  }

  get found(): { unread: UnreadPaths; changedFiles: number } {
    const unread = { denied: [...this.#denied], failed: [...this.#failed], more: this.#more };
    return { unread, changedFiles: this.changedFiles };
  }

  #add(path: string, isDenied: boolean): void {
    const paths = isDenied ? this.#denied : this.#failed;
    if (paths.has(path)) return;
    if (this.#denied.size + this.#failed.size >= mostPaths) this.#more += 1;
    else paths.add(path);
  }
}

import type { KeyDeployment } from '@holdfast/core/server';
import { quote } from './quote.js';

export type KeyPlan =
  /** Whole lines to append. */
  | { append: string }
  /** The key is already present with the requested restrictions. */
  | 'present'
  /** The key is present with other permissions than requested. */
  | 'other_rights';

/** What to add to `authorized_keys`; `content` is null if there is no such file. */
export function planKey(content: string | null, deployment: KeyDeployment): KeyPlan {
  const { publicKeyLine, restrict } = deployment;
  const options = optionsOf(deployment);
  const lines = (content ?? '').split('\n').filter((line) => holdsKey(line, publicKeyLine));
  if (lines.length > 0) {
    const asWanted = !restrict || lines.every((line) => line.trim().startsWith(options));
    return asWanted ? 'present' : 'other_rights';
  }
  const start = content && !content.endsWith('\n') ? '\n' : '';
  return { append: `${start}${entryOf(deployment)}` };
}

/** The line that a deployment adds. */
export const entryOf = (deployment: KeyDeployment): string =>
  `${optionsOf(deployment)}${deployment.publicKeyLine}\n`;

const optionsOf = ({ restrict }: KeyDeployment): string => (restrict ? `${restriction(restrict)} ` : '');

function holdsKey(line: string, publicKeyLine: string): boolean {
  const [type = '', blob = ''] = publicKeyLine.split(' ');
  const words = line.trim().split(/\s+/);
  if (words[0]?.startsWith('#')) return false;
  return words.some((word, index) => word === type && words[index + 1] === blob);
}

/** Allows only serving repositories below the path. The command is quoted for the shell and for this file. */
function restriction({ path, appendOnly }: NonNullable<KeyDeployment['restrict']>): string {
  const words = ['borg', 'serve', ...(appendOnly ? ['--append-only'] : []), '--restrict-to-path'];
  const command = `${words.join(' ')} ${quote(path)}`;
  return `command="${command.replaceAll('"', '\\"')}",restrict`;
}

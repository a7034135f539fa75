import { type Message, say } from '../../foundation/kernel/index.js';

/** The facts about a folder that may be a repository. */
export interface Sight {
  /** The beginnings of the files; null without one. */
  config: string | null;
  readme: string | null;
  /** It has a folder for data, with something in it; null when that is not known. */
  hasData: boolean | null;
}

export interface Recognised {
  toolId: string | null;
  keyInside: boolean | null;
  broken: Message | null;
}

/** How much of a file is read. The key of a repository is about 800 bytes. */
export const mostOfFile = 4096;

/** Whether it is worth reading the files of a folder with these names. */
export function mayBeRepository(names: {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
}): boolean {
  const { files, folders } = names;
  const known = [files.has('config'), files.has('README'), folders.has('data')];
  return known.filter(Boolean).length >= 2;
}

const configDamaged = say`found_config_damaged: Its config file is damaged.`;

/** Null if the folder is not a repository of the backup tool. */
export function recognise({ config, readme, hasData }: Sight): Recognised | null {
  const isNamed = /^This is a Borg Backup repository/.test(readme ?? '');
  const isConfig = config !== null && /^\[repository\]\s*$/m.test(config);
  if (!isConfig && !isNamed) return null;
  const lost = (broken: Message): Recognised => ({ toolId: null, keyInside: null, broken });
  if (config === null) return lost(say`found_without_config: Its config file is missing or can't be read.`);
  if (!isConfig) return lost(configDamaged);
  const value = (name: string) => new RegExp(`^${name}\\s*=\\s*(\\S+)`, 'm').exec(config)?.[1];
  const version = value('version') ?? 'none';
  const id = /^[0-9a-f]{64}$/.exec(value('id') ?? '')?.[0] ?? null;
  const found = { toolId: id, keyInside: value('key') !== undefined };
  if (version !== '1') {
    const broken = say`found_other_version: It has version ${{ version }}, which Borg cannot read.`;
    return { ...found, broken };
  }
  if (id === null) return { ...found, broken: configDamaged };
  const broken = hasData === false ? say`found_without_data: Its data is missing.` : null;
  return { ...found, broken };
}

import { say } from '@holdfast/plugin-api';
import type { Report } from './report.js';
import { type MapTree, type Option, textOf, textsOf } from './tree.js';

const sectionNames = ['location', 'storage', 'retention', 'consistency', 'output', 'hooks'];
/** Names of earlier releases. */
const renamed: Record<string, string> = {
  numeric_owner: 'numeric_ids',
  bsd_flags: 'flags',
  remote_rate_limit: 'upload_rate_limit',
};

/** The options of a file: those in sections of earlier releases count as if they stood at the top. */
export const optionsOf = (tree: MapTree): Option[] =>
  tree.entries.flatMap(({ key, value, file, line }) => {
    if (!sectionNames.includes(key) || value.kind !== 'map')
      return [{ name: renamed[key] ?? key, key, value, file, line }];
    return inside(value, key);
  });

/** The options in a map. */
export const inside = (map: MapTree, key: string): Option[] =>
  map.entries.map((entry) => {
    const { key: name, value, file, line } = entry;
    return { name: renamed[name] ?? name, key: `${key}.${name}`, value, file, line };
  });

/** The items of a list as separate options. */
export const itemsOf = ({ name, key, value }: Option): Option[] =>
  value.kind === 'list'
    ? value.items.map((item, at) => ({
        name,
        key: `${key}[${at}]`,
        value: item,
        file: item.file,
        line: item.line,
      }))
    : [];

/** The options that apply to one repository, as they are read. */
export class Config {
  #last: Map<string, Option> | undefined;

  constructor(
    readonly options: readonly Option[],
    readonly report: Report,
  ) {}

  get(name: string): Option | undefined {
    // The last one, of the repository itself, wins.
    this.#last ??= new Map(
      this.options.filter((option) => !isEmpty(option)).map((option) => [option.name, option]),
    );
    return this.#last.get(name);
  }

  text(name: string): string | null {
    const option = this.get(name);
    const text = textOf(option?.value);
    if (option && text === null) this.refuse(option);
    return text;
  }

  texts(name: string): string[] {
    const option = this.get(name);
    const single = option?.value.kind === 'scalar' && name !== 'exclude_if_present';
    const texts = option ? textsOf(option.value) : [];
    if (option && (single || texts === null)) this.refuse(option);
    return texts ?? [];
  }

  number(name: string): number | null {
    const option = this.get(name);
    const text = textOf(option?.value);
    if (option && (text === null || !/^-?\d{1,9}$/.test(text))) {
      this.refuse(option);
      return null;
    }
    return text === null ? null : Number(text);
  }

  flag(name: string): boolean | null {
    const option = this.get(name);
    const value = option?.value.kind === 'scalar' ? option.value.value : undefined;
    if (option && typeof value !== 'boolean') this.refuse(option);
    return typeof value === 'boolean' ? value : null;
  }

  /** The options in an option that is a map; null without it. */
  inner(name: string): Config | null {
    const option = this.get(name);
    if (option && option.value.kind !== 'map') this.refuse(option);
    return option?.value.kind === 'map' ? new Config(inside(option.value, option.key), this.report) : null;
  }

  /** borgmatic would not run with it. */
  refuse(option: Option): void {
    this.report.lose(
      option,
      say`borgmatic_value_unfit: borgmatic rejects a value of this form: correct the file.`,
      null,
    );
  }
}

const isEmpty = ({ value }: Option): boolean => value.kind === 'scalar' && value.value === null;

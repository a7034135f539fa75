import type { Schemas } from '../api/client.js';
import { number } from '../i18n/format.js';
import { t } from '../i18n/messages.js';
import { More } from './more.js';
import { quoted } from './shell.rules.js';
import styles from './unreadable.module.css';

/** Unreadable folders, and how to allow access. Needs the messages of `folders`. */
export function Unreadable({ count, paths }: Schemas['PreflightResult']['unreadable']) {
  const more = count - paths.length;
  return (
    <>
      <ul class={styles.path}>
        {paths.map((path) => (
          <li key={path}>
            <bdi>{path}</bdi>
          </li>
        ))}
        {more > 0 && <li>{t.folders.andMore(number(more))}</li>}
      </ul>
      <More label={t.folders.howToAllow}>
        <p>{t.folders.allowLead}</p>
        <pre class={styles.path} translate={false}>
          {allowCommands(paths[0] ?? '')}
        </pre>
        <p>{t.folders.allowContainer}</p>
      </More>
    </>
  );
}

const allowCommands = (path: string): string =>
  `sudo setfacl -R -m u:holdfast:rX -m d:u:holdfast:rX ${quoted(path)}`;

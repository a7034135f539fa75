import { useQuery } from '@tanstack/preact-query';
import { number, sinceWhen } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { archivesQuery } from '../archives/archives-query.js';
import type { Choice } from './choice.rules.js';
import styles from './restore.module.css';

const shown = 3;

/** What is to come back, in words. */
export function Chosen({ choice, repository }: { choice: Choice; repository: string }) {
  const { repositoryId, archive, paths } = choice;
  const archives = useQuery(archivesQuery(repositoryId)).data?.archives;
  const start = archives?.find(({ name, id }) => name === archive || id === archive)?.start;
  const isAll = paths.includes('');
  return (
    <Section title={t.restore.chosen} quiet>
      <p>
        {isAll ? t.restore.all : t.restore.entries(paths.length, number(paths.length))}{' '}
        {t.restore.from(repository, start ? sinceWhen(start) : archive)}
      </p>
      {!isAll && (
        <ul class={styles.path}>
          {paths.slice(0, shown).map((path) => (
            <li key={path}>
              <bdi>{path}</bdi>
            </li>
          ))}
          {paths.length > shown && <li>{t.restore.andMore(number(paths.length - shown))}</li>}
        </ul>
      )}
    </Section>
  );
}

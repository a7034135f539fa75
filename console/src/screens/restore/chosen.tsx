import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { moment, number, sinceWhen } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { SelectField } from '../../ui/field.js';
import { Section } from '../../ui/layout.js';
import { archivesQuery } from '../archives/archives-query.js';
import { type Choice, restoreAddress } from './choice.rules.js';
import styles from './restore.module.css';

const shown = 3;

/** The selection in words, with a way to take it from another archive. */
export function Chosen({ choice, repository }: { choice: Choice; repository: string }) {
  const { repositoryId, archive, paths } = choice;
  const [, navigate] = useLocation();
  const archives = useQuery(archivesQuery(repositoryId)).data?.archives ?? [];
  const current = archives.find(({ name, id }) => name === archive || id === archive);
  const isAll = paths.includes('');
  return (
    <Section title={t.restore.chosen} quiet>
      <p>
        {isAll ? t.restore.all : t.restore.entries(paths.length, number(paths.length))}{' '}
        {t.restore.from(repository, current ? sinceWhen(current.start) : archive)}
      </p>
      {!isAll && (
        <ul class={styles.path}>
          {paths.slice(0, shown).map((path) => (
            <li key={path}>
              <bdi>{path}</bdi>
            </li>
          ))}
          {paths.length > shown && <li>{t.folders.andMore(number(paths.length - shown))}</li>}
        </ul>
      )}
      {current && archives.length > 1 && (
        <SelectField
          label={t.browse.asOf}
          value={current.name}
          onValue={(name) =>
            navigate(restoreAddress({ ...choice, archive: name }, sessionStorage), { replace: true })
          }
          options={archives.toReversed().map(({ name, start }) => [name, moment(start)] as const)}
        />
      )}
    </Section>
  );
}

import { t } from '../../i18n/messages.js';
import { hostName, useHosts } from '../../ui/host-field.js';
import { Section } from '../../ui/layout.js';
import { SourceNames } from '../../ui/source-names.js';
import styles from './repositories.module.css';
import type { Repository } from './repository-page.js';

export function Sources({ repository }: { repository: Repository }) {
  const {
    source_directories: folders,
    exclude_patterns: excludes,
    sources: databases,
    source_ssh_connection_id: from,
  } = repository;
  const connection = useHosts(from !== null).find(({ id }) => id === from);
  const where =
    from === null
      ? t.repository.thisMachine
      : connection
        ? hostName(connection)
        : t.repository.anotherMachine;
  if (repository.mode === 'observe') return null;
  return (
    <Section title={t.repository.sources} card>
      {folders.length > 0 && <p>{t.repository.sourcesOf(folders.length, where)}</p>}
      <Paths paths={folders} />
      {databases.length > 0 && (
        <>
          <p>{`${t.sources.databases.title}, ${where}:`}</p>
          <SourceNames sources={databases} />
        </>
      )}
      {excludes.length > 0 && (
        <details>
          <summary>{t.repository.excludes(excludes.length)}</summary>
          <Paths paths={excludes} />
        </details>
      )}
    </Section>
  );
}

const Paths = ({ paths }: { paths: readonly string[] }) => (
  <ul class={styles.paths}>
    {paths.map((path) => (
      <li key={path}>
        <bdi>{path}</bdi>
      </li>
    ))}
  </ul>
);

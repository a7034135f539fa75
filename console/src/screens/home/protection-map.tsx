import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Schemas } from '../../api/client.js';
import { ago, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { SelectField, TextField } from '../../ui/field.js';
import { StateMark, stateOf } from '../../ui/state.js';
import styles from './home.module.css';
import { type Grouping, grouped } from './map.rules.js';

type Repository = Schemas['OverviewRepository'];

/** Many repositories as small cells, by host or tag. */
export function ProtectionMap({ repositories }: { repositories: readonly Repository[] }) {
  const [text, setText] = useState('');
  const [by, setBy] = useState<Grouping>('host');
  const groups = grouped(repositories, { text, by });
  const found = new Set(groups.flatMap(([, some]) => some)).size;
  const others = by === 'host' ? t.home.thisMachine : t.home.noTag;
  return (
    <>
      <div class={styles.find}>
        <TextField type="search" label={t.home.find} value={text} onValue={setText} maxLength={256} />
        {repositories.some(({ tags }) => tags.length > 0) && (
          <SelectField
            label={t.home.groupBy}
            value={by}
            onValue={setBy}
            options={[
              ['host', t.home.host],
              ['tag', t.common.tags],
            ]}
          />
        )}
        <p role="status" class="muted small">
          {text && t.common.foundOf(number(found), number(repositories.length))}
        </p>
      </div>
      {groups.map(([group, some]) => (
        <section key={group ?? ''} aria-label={group ?? others}>
          <h3 class={styles.host}>
            {group ?? others} <span class="muted small">{number(some.length)}</span>
          </h3>
          <ul class={styles.cells}>
            {some.map((repository) => (
              <Cell key={repository.id} repository={repository} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Cell({ repository }: { repository: Repository }) {
  const { id, name, newest_archive: newest, running } = repository;
  const state = stateOf(repository);
  const words = [
    name,
    t.common.states[state],
    newest ? t.home.newest(ago(newest)) : t.home.noArchive,
    running && t.home.isRunning,
  ];
  return (
    <li>
      <Link
        href={`/repositories/${id}`}
        className={styles.cell}
        aria-label={words.filter(Boolean).join(', ')}
        title={words.filter(Boolean).join(', ')}
      >
        <StateMark state={state} />
        <bdi>{name}</bdi>
        {running && <StateMark state="running" />}
      </Link>
    </li>
  );
}

import { X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useRead } from '../../../api/api.js';
import { type Grant, rights } from '../../../hub/may.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button, IconButton } from '../../../ui/button.js';
import { Group, SelectField } from '../../../ui/field.js';
import styles from './people.module.css';

const keyOf = ({ repository_id, tag }: Omit<Grant, 'right'>): string => `${repository_id ?? ''}#${tag ?? ''}`;

/** The names of what grants are for, and grants as a text. */
export function useGrantWords() {
  const all = useRead('/api/repositories/').data?.repositories ?? [];
  const nameOf = ({ repository_id: id, tag }: Omit<Grant, 'right'>): string =>
    tag === undefined
      ? (all.find((one) => one.id === id)?.name ?? t.repository.numbered(id ?? 0))
      : t.people.tagged(tag);
  const inWords = (grants: readonly Grant[]): string =>
    grants.map((grant) => `${nameOf(grant)}: ${t.people.rights[grant.right]}`).join(', ') ||
    t.people.noGrants;
  return { all, nameOf, inWords };
}

interface GrantsProps {
  value: readonly Grant[];
  onValue: (value: Grant[]) => void;
  error?: string | undefined;
}

/** Repositories and tags, each with a right. */
export function GrantsField({ value, onValue, error }: GrantsProps) {
  const { all, nameOf } = useGrantWords();
  const [wanted, setWanted] = useState('');
  const tags = [...new Set(all.flatMap((one) => one.tags))].sort();
  const given = new Set(value.map(keyOf));
  const offered = [...all.map(({ id }) => ({ repository_id: id })), ...tags.map((tag) => ({ tag }))]
    .map((one) => [keyOf(one), one] as const)
    .filter(([key]) => !given.has(key));
  const chosen = offered.find(([key]) => key === wanted)?.[1];
  const add = () => {
    if (!chosen) return;
    onValue([...value, { ...chosen, right: 'see' }]);
    announce(nameOf(chosen));
    setWanted('');
  };
  return (
    <Group legend={t.frame.place.repositories}>
      <dl class={styles.rights}>
        {rights.map((right) => (
          <div key={right}>
            <dt>{t.people.rights[right]}</dt>
            <dd>{t.people.rightHints[right]}</dd>
          </div>
        ))}
      </dl>
      {value.length > 0 && (
        <ul class={styles.grants}>
          {value.map((grant) => (
            <li key={keyOf(grant)}>
              <bdi>{nameOf(grant)}</bdi>
              <select
                aria-label={t.people.rightOf(nameOf(grant))}
                value={grant.right}
                onChange={({ currentTarget }) =>
                  onValue(
                    value.map((one) =>
                      one === grant ? { ...grant, right: currentTarget.value as Grant['right'] } : one,
                    ),
                  )
                }
              >
                {rights.map((right) => (
                  <option key={right} value={right} selected={right === grant.right}>
                    {t.people.rights[right]}
                  </option>
                ))}
              </select>
              <IconButton
                label={t.schedules.remove(nameOf(grant))}
                onClick={() => onValue(value.filter((one) => one !== grant))}
              >
                <X aria-hidden="true" size={18} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {(offered.length > 0 || error) && (
        <div class={styles.adding}>
          <SelectField
            label={t.people.addGrant}
            value={chosen ? wanted : ''}
            onValue={setWanted}
            options={[['', t.schedules.choose], ...offered.map(([key, one]) => [key, nameOf(one)] as const)]}
            error={error}
          />
          <Button disabled={!chosen} onClick={add}>
            {t.common.add}
          </Button>
        </div>
      )}
    </Group>
  );
}

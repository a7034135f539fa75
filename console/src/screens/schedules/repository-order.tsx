import { ArrowDown, ArrowUp, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRead } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button, IconButton } from '../../ui/button.js';
import { Group, SelectField } from '../../ui/field.js';
import styles from './schedules.module.css';

interface OrderProps {
  value: readonly number[];
  onValue: (value: number[]) => void;
  error?: string | undefined;
}

export function RepositoryOrder({ value, onValue, error }: OrderProps) {
  const all = useRead('/api/repositories/').data?.repositories ?? [];
  const nameOf = (id: number) => all.find((repository) => repository.id === id)?.name ?? '…';
  const others = all.filter(({ id, mode }) => mode !== 'observe' && !value.includes(id));
  // Keys change a list of choices at each step, so that nothing is added before the button is pressed.
  const [wanted, setWanted] = useState('');
  const adding = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const missing = value.length === 0 ? t.schedules.needsRepository : '';
    adding.current?.querySelector('select')?.setCustomValidity(missing);
  });
  const add = () => {
    onValue([...value, Number(wanted)]);
    announce(t.schedules.movedTo(nameOf(Number(wanted)), value.length + 1));
    setWanted('');
  };
  const move = (index: number, step: number) => {
    const next = [...value];
    const [moved] = next.splice(index, 1);
    if (moved === undefined) return;
    next.splice(index + step, 0, moved);
    onValue(next);
    announce(t.schedules.movedTo(nameOf(moved), index + step + 1));
  };
  return (
    <Group legend={value.length > 1 ? t.schedules.repositoriesInOrder : t.schedules.fields.repository_ids}>
      {value.length > 0 && (
        <ol class={styles.order}>
          {value.map((id, index) => (
            <li key={id}>
              <bdi>{nameOf(id)}</bdi>
              {value.length > 1 && (
                <>
                  <IconButton
                    label={t.schedules.up(nameOf(id))}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  >
                    <ArrowUp aria-hidden="true" size={18} />
                  </IconButton>
                  <IconButton
                    label={t.schedules.down(nameOf(id))}
                    disabled={index === value.length - 1}
                    onClick={() => move(index, 1)}
                  >
                    <ArrowDown aria-hidden="true" size={18} />
                  </IconButton>
                </>
              )}
              <IconButton
                label={t.schedules.remove(nameOf(id))}
                onClick={() => onValue(value.filter((other) => other !== id))}
              >
                <X aria-hidden="true" size={18} />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      {others.length > 0 && (
        <div ref={adding} class={styles.adding}>
          <SelectField
            label={t.schedules.addRepository}
            value={wanted}
            onValue={setWanted}
            options={[['', t.schedules.choose], ...others.map(({ id, name }) => [String(id), name] as const)]}
            error={error}
          />
          <Button disabled={wanted === ''} onClick={add}>
            {t.common.add}
          </Button>
        </div>
      )}
    </Group>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/messages.js';
import { RadioGroup } from './field.js';
import { Notice } from './notice.js';
import type { Conflict } from './use-edit.js';

interface ConflictsProps {
  conflicts: readonly Conflict[];
  draft: Record<string, unknown>;
  label: (field: string) => string;
  /** A value in words. */
  words?: (value: unknown, field: string) => string;
  onTake: (field: string, value: unknown) => void;
}

const asItIs = (value: unknown): string =>
  (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || t.common.none;

/** Both values of each field that two users changed. The user picks one, and saving again writes it. */
export function Conflicts({ conflicts, draft, label, words = asItIs, onTake }: ConflictsProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [conflicts]);
  if (conflicts.length === 0) return null;
  return (
    <div ref={place}>
      <Notice kind="warning" live title={t.common.changedMeanwhile}>
        {conflicts.map(({ field, mine, theirs }) => (
          <RadioGroup
            key={field}
            legend={label(field)}
            value={JSON.stringify(draft[field]) === JSON.stringify(mine) ? 'mine' : 'theirs'}
            onValue={(taken) => onTake(field, taken === 'mine' ? mine : theirs)}
            options={[
              { value: 'theirs', label: t.common.valueNow(words(theirs, field)) },
              { value: 'mine', label: t.common.valueTyped(words(mine, field)) },
            ]}
          />
        ))}
      </Notice>
    </div>
  );
}

import { useState } from 'preact/hooks';
import { outdate, type Schemas, write } from '../../api/api.js';
import { moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { errorAt, SelectField, TextField } from '../../ui/field.js';
import { Form, useAction } from '../../ui/form.js';
import { Stack } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { ruleInWords } from '../../ui/rule-words.js';
import styles from './schedules.module.css';
import { useRepositoryNames } from './use-repository-names.js';

type Preview = Schemas['AdoptAnswer'];

interface AdoptProps {
  schedule: Pick<Schemas['ScheduleView'], 'id' | 'repository_ids' | 'run_prune_after'>;
  onClose: () => void;
}

/** Adopts external archives under the retention of the schedule, after a preview of each. */
export function AdoptDialog({ schedule, onClose }: AdoptProps) {
  const nameOf = useRepositoryNames();
  const [repository, setRepository] = useState(String(schedule.repository_ids[0]));
  const [pattern, setPattern] = useState('*');
  const [preview, setPreview] = useState<Preview | null>(null);
  const action = useAction();
  const call = (dry_run: boolean) =>
    write('POST', '/api/schedule/{job_id}/adopt', {
      path: { job_id: schedule.id },
      body: { repository_id: Number(repository), pattern, dry_run },
    });
  const look = () => action.run(async () => setPreview(await call(true)));
  const adopt = () =>
    action.run(async () => {
      const { archives } = await call(false);
      outdate('/api/archives', '/api/repositories', '/api/schedule', '/api/overview');
      announce(t.schedules.adopted(archives.length, number(archives.length)));
      onClose();
    });
  const count = preview?.archives.length ?? 0;
  return (
    <Dialog title={t.schedules.adopt} onClose={onClose} wide>
      <Form
        action={action}
        onSubmit={preview && count > 0 ? adopt : look}
        submit={preview && count > 0 ? t.schedules.adoptThese(count, number(count)) : t.browse.preview}
        onCancel={onClose}
        buttons={preview && count > 0 && <Button onClick={() => setPreview(null)}>{t.common.back}</Button>}
      >
        <p>{t.schedules.adoptMeans}</p>
        {preview === null || count === 0 ? (
          <>
            <SelectField
              label={t.frame.kinds.repository}
              value={repository}
              onValue={setRepository}
              options={schedule.repository_ids.map((id) => [String(id), nameOf(id)] as const)}
            />
            <TextField
              label={t.schedules.pattern}
              hint={t.schedules.patternHint}
              error={errorAt(action.error, 'pattern')}
              required
              value={pattern}
              onValue={setPattern}
              exact
            />
            {preview && <Notice live>{t.schedules.nothingToAdopt}</Notice>}
          </>
        ) : (
          <Found preview={preview} prunes={schedule.run_prune_after} />
        )}
      </Form>
    </Dialog>
  );
}

function Found({ preview: { archives }, prunes }: { preview: Preview; prunes: boolean }) {
  const removed = prunes ? archives.filter(({ rule }) => rule === 'removed').length : 0;
  return (
    <Stack tight>
      {removed > 0 ? (
        <Notice kind="warning" live>
          {t.schedules.wouldRemove(number(removed))}
        </Notice>
      ) : (
        <Notice live>{t.schedules.removesNone}</Notice>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys. */}
      <div class={styles.scroll} tabIndex={0} role="region" aria-label={t.frame.kinds.archives}>
        <ul>
          {archives.slice(0, 200).map(({ id, name, start, rule }) => (
            <li key={id} class="small">
              <bdi>{name}</bdi> · {moment(start)} ·{' '}
              {rule === 'removed' ? (
                <strong>{prunes ? t.schedules.goes : t.schedules.wouldGo}</strong>
              ) : (
                ruleInWords(rule)
              )}
            </li>
          ))}
        </ul>
      </div>
    </Stack>
  );
}

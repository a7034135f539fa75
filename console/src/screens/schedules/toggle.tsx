import { outdate, write } from '../../api/api.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { CheckField } from '../../ui/field.js';
import { ErrorNotice } from '../../ui/notice.js';
import { useAction } from '../../ui/use-action.js';

export function Toggle({ id, name, enabled }: { id: number; name: string; enabled: boolean }) {
  const action = useAction();
  const toggle = () =>
    action.run(async () => {
      const result = await write('POST', '/api/schedule/{job_id}/toggle', { path: { job_id: id } });
      announce(`${name}: ${result.enabled ? t.notifications.enabled : t.common.states.off}`);
      outdate('/api/schedule', '/api/overview');
    });
  return (
    <>
      <CheckField
        switch
        label={
          <>
            {enabled ? t.notifications.enabled : t.common.states.off}
            <span class="visually-hidden">: {name}</span>
          </>
        }
        checked={enabled}
        disabled={action.isBusy}
        onChecked={() => void toggle()}
      />
      {action.error ? <ErrorNotice error={action.error} /> : null}
    </>
  );
}

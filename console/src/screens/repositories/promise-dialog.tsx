import { useQuery } from '@tanstack/preact-query';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { Conflicts } from '../../ui/conflicts.js';
import { Dialog } from '../../ui/dialog.js';
import { Stack } from '../../ui/layout.js';
import { QueryView } from '../../ui/query-view.js';
import { SaveBar } from '../../ui/save-bar.js';
import { useEdit } from '../../ui/use-edit.js';
import { type Promised, PromiseFields } from './promise-fields.js';
import { repositoryEdit, taggedRepository } from './repository-edit.js';

/** How old the newest archive may become. */
export function PromiseDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(taggedRepository(id));
  return (
    <Dialog title={t.repository.promise.title} onClose={onClose}>
      <QueryView query={query}>
        {(tagged) => (
          <PromiseForm
            options={repositoryEdit<Promised>(id, tagged, ({ freshness_hours }) => ({ freshness_hours }))}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  );
}

type Options = ReturnType<typeof repositoryEdit<Promised>>;

function PromiseForm({ options, onClose }: { options: Options; onClose: () => void }) {
  const edit = useEdit(options);
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (!(await edit.save())) return;
        announce(t.common.saved);
        onClose();
      }}
    >
      <Stack>
        <PromiseFields
          hours={edit.draft.freshness_hours}
          onHours={(hours) => edit.set('freshness_hours', hours)}
          error={edit.error}
        />
        <Conflicts
          conflicts={edit.conflicts}
          draft={edit.draft}
          label={() => t.repository.promise.title}
          onTake={(_, value) => edit.set('freshness_hours', value as number | null)}
        />
        <SaveBar edit={edit} onDiscard={onClose} />
      </Stack>
    </form>
  );
}

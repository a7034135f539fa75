import { useLocation } from 'wouter-preact';
import { outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { announce } from '../../../ui/announce.js';
import { Form, useAction, useDraft } from '../../../ui/form.js';
import { Section } from '../../../ui/layout.js';
import { linesOf } from '../../../ui/lines.js';
import { type Draft, SourceFields } from './source-fields.js';

export default function NewSourceSet() {
  const [, navigate] = useLocation();
  const action = useAction();
  const [draft, change] = useDraft<Draft>({
    name: '',
    source_directories: [],
    exclude_patterns: '',
    sources: [],
    source_connection_id: null,
    allow_parallel: false,
  });
  const create = () =>
    action.run(async () => {
      const { source_set, message } = await write('POST', '/api/source-sets', {
        body: { ...draft, exclude_patterns: linesOf(draft.exclude_patterns) },
      });
      announce(message);
      outdate('/api/source-sets');
      navigate(`/settings/source-sets/${source_set.id}`);
    });
  return (
    <Page
      title={t.sources.add}
      up={[t.frame.page.sourceSets, '/settings/source-sets']}
      lead={t.sources.addLead}
      narrow
    >
      <Section title={t.sources.add} quiet card>
        <Form
          action={action}
          onSubmit={create}
          submit={t.common.save}
          disabled={draft.name.trim() === ''}
          onCancel={() => navigate('/settings/source-sets')}
        >
          <SourceFields draft={draft} onDraft={change} error={action.error} />
        </Form>
      </Section>
    </Page>
  );
}

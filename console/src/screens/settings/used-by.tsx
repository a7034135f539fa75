import { t } from '../../i18n/messages.js';
import { DataList } from '../../ui/data-list.js';
import { Section } from '../../ui/layout.js';

interface Use {
  href: string;
  name: string;
  note?: string;
}

export const UsedBy = ({ uses, none = t.settings.usedByNobody }: { uses: readonly Use[]; none?: string }) => (
  <Section title={t.settings.usedBy}>
    <DataList
      label={t.settings.usedBy}
      name="uses"
      rows={uses}
      keyOf={({ href, note }) => `${href} ${note}`}
      empty={<p class="muted">{none}</p>}
      linkOf={({ href }) => [href]}
      columns={(of) => [of.name(({ name }) => name), of.text('note', t.common.details, ({ note }) => note)]}
    />
  </Section>
);

import { bytes } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { Facts, Section } from '../../../ui/layout.js';
import type { Repository } from '../repository-page.js';

/** The location, which cannot be changed on this page. */
export const Place = ({ repository }: { repository: Repository }) => (
  <Section title={t.repository.place} card>
    <Facts
      facts={[
        [t.configuration.host, <bdi key="host">{repository.host ?? t.repository.thisMachine}</bdi>],
        [t.configuration.path, <bdi key="path">{repository.path}</bdi>],
        [t.configuration.encryption, repository.encryption],
        repository.free_bytes === null ? null : [t.plots.free, bytes(repository.free_bytes)],
      ]}
    />
    <p class="muted small">{t.configuration.placeFixed}</p>
  </Section>
);

import { useQuery } from '@tanstack/preact-query';
import type { ScreenProps } from '../../../shell/router.js';
import { QueryView } from '../../../ui/query-view.js';
import styles from '../repositories.module.css';
import { RepositoryPage } from '../repository-page.js';
import { AttachedScripts } from './attached-scripts.js';
import { Place } from './place.js';
import { Removal } from './removal.js';
import { Secret } from './secret.js';
import { SettingsForm, taggedRepository } from './settings-form.js';

export default function Settings({ params }: ScreenProps<'id'>) {
  const id = Number(params.id);
  const query = useQuery(taggedRepository(id));
  return (
    <RepositoryPage id={id} part="settings">
      {(repository) => (
        <div class={styles.settings}>
          <QueryView query={query} lines={6}>
            {(tagged) => <SettingsForm id={id} tagged={tagged} />}
          </QueryView>
          <AttachedScripts id={id} />
          <Place repository={repository} />
          <Secret repository={repository} />
          <Removal repository={repository} />
        </div>
      )}
    </RepositoryPage>
  );
}

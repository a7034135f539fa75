import { useQuery } from '@tanstack/preact-query';
import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useLocation } from 'wouter-preact';
import { moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { IconButton } from '../../ui/button.js';
import { SelectField } from '../../ui/field.js';
import { archivesQuery } from '../archives/archives-query.js';
import styles from './browse.module.css';
import type { Place } from './folder.js';
import { forgetWay } from './folder-view.js';
import { browseAddress } from './paths.rules.js';

/** The same folder at another time. */
export function ArchiveSwitch({ repositoryId, archive, path }: Place) {
  const [, navigate] = useLocation();
  const archives = useQuery(archivesQuery(repositoryId)).data?.archives ?? [];
  const at = archives.findIndex(({ name, id }) => name === archive || id === archive);
  const go = (name: string | undefined) => {
    if (!name) return;
    // Keeps the focus here, to switch to the next one.
    forgetWay();
    navigate(browseAddress(repositoryId, name, path));
  };
  const [older, newer] = [at > 0 ? archives[at - 1] : undefined, at < 0 ? undefined : archives[at + 1]];
  return (
    <div class={styles.switch}>
      <IconButton label={t.browse.older} disabled={!older} onClick={() => go(older?.name)}>
        <ChevronLeft aria-hidden="true" size={20} />
      </IconButton>
      <SelectField
        label={t.browse.asOf}
        value={archives[at]?.name ?? archive}
        onValue={go}
        options={
          at < 0
            ? [[archive, archive]]
            : archives.toReversed().map(({ name, start }) => [name, moment(start)] as const)
        }
      />
      <IconButton label={t.browse.newer} disabled={!newer} onClick={() => go(newer?.name)}>
        <ChevronRight aria-hidden="true" size={20} />
      </IconButton>
    </div>
  );
}

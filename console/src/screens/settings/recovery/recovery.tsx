import { t } from '../../../i18n/messages.js';
import { Copyable } from '../../../ui/copy.js';
import { Section } from '../../../ui/layout.js';
import { SettingsPage } from '../settings-page.js';
import { SelfBackup } from './self-backup.js';
import { RecoverySheet } from './sheet.js';

/** Everything needed after a loss of this server. */
export default function Recovery() {
  return (
    <SettingsPage page="recovery" narrow>
      {/* A sheet that is made before lacks this repository. */}
      <SelfBackup />
      <RecoverySheet />
      <Section title={t.recovery.gone}>
        <h3>{t.recovery.dataOnly}</h3>
        <p>{t.recovery.dataOnlyLead}</p>
        <Copyable text="sudo apt install borgbackup openssh-client" label={t.recovery.install} />
        <h3>{t.recovery.everything}</h3>
        <p>{t.recovery.everythingLead}</p>
        <Copyable
          text="DATA_DIR=/srv/holdfast holdfast recover --repository LOCATION"
          label={t.recovery.everything}
        />
      </Section>
    </SettingsPage>
  );
}

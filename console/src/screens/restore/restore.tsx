import { user as signedIn } from '../../hub/link.js';
import { t } from '../../i18n/messages.js';
import { useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import { useStore } from '../../store.js';
import { choiceOf } from './choice.rules.js';
import { Choose } from './choose.js';
import { DownloadOnly } from './download-target.js';
import { Run } from './run.js';
import { Steps } from './steps.js';
import { Wizard } from './wizard.js';

/** From "I lost a file" to having it back. The address holds what is chosen, and then the job. */
export default function Restore() {
  const isAdmin = useStore(signedIn)?.is_admin;
  const parameters = useParameters();
  const job = Number(parameters.get('job'));
  const choice = choiceOf(parameters, sessionStorage);
  const isChosen = choice !== null && choice.paths.length > 0;
  if (job > 0) return <Run id={job} />;
  return (
    <Page title={t.restore.title} lead={isChosen ? undefined : t.restore.lead} narrow={isChosen}>
      {!isChosen && <Choose parameters={parameters} />}
      {isChosen && isAdmin && <Wizard key={String(parameters)} choice={choice} />}
      {isChosen && !isAdmin && (
        <>
          <Steps current="target" />
          <DownloadOnly choice={choice} />
        </>
      )}
    </Page>
  );
}

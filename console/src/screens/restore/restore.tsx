import { useMayRestore } from '../../hub/may.js';
import { t } from '../../i18n/messages.js';
import { useParameters } from '../../shell/navigation.js';
import { Page } from '../../shell/page.js';
import { choiceOf } from './choice.rules.js';
import { Choose } from './choose.js';
import { DownloadOnly } from './download-target.js';
import { Run } from './run.js';
import { Steps } from './steps.js';
import { Wizard } from './wizard.js';

/** From "I lost a file" to having it back. The address holds what is chosen, and then the job. */
export default function Restore() {
  const mayRestore = useMayRestore();
  const parameters = useParameters();
  const job = Number(parameters.get('job'));
  const choice = choiceOf(parameters, sessionStorage);
  const canRestore = mayRestore(choice?.repositoryId);
  const isChosen = choice !== null && choice.paths.length > 0;
  if (job > 0) return <Run id={job} />;
  return (
    <Page title={t.restore.title} lead={isChosen ? undefined : t.restore.lead} narrow={isChosen}>
      {!isChosen && <Choose parameters={parameters} />}
      {isChosen && canRestore && <Wizard key={String(parameters)} choice={choice} />}
      {isChosen && !canRestore && (
        <>
          <Steps current="target" />
          <DownloadOnly choice={choice} />
        </>
      )}
    </Page>
  );
}

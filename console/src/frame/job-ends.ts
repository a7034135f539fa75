import type { StoredEvent } from '../api/client.js';
import { onEvent } from '../hub/link.js';
import { t } from '../i18n/messages.js';
import { announce } from '../ui/announce.js';

type Ended = { kind: keyof typeof t.common.jobKinds; status: keyof typeof t.common.jobStates };

/** Says to a screen reader what became of each job, on every screen. @returns how to stop. */
export const sayJobEnds = (): (() => void) =>
  onEvent(({ event, data }) => {
    if (event !== 'job_ended') return;
    const { kind, status, repository_name } = (data as StoredEvent).data as Ended & {
      repository_name: string;
    };
    announce(t.frame.jobEnded(t.common.jobKinds[kind] ?? kind, repository_name, t.common.jobStates[status]));
  });

import { useQuery } from '@tanstack/preact-query';
import { overviewQuery } from '../api/overview.js';
import { t } from '../i18n/messages.js';
import { ButtonLink } from './button.js';
import { Notice, Sentence } from './notice.js';

interface WhyProps {
  kind: 'repository' | 'connection' | 'notification_setting';
  id: number;
  /** Where something can be done about a cause. Null: the page itself says it. */
  ways?: Record<string, string | null>;
}

/** The reason that Home shows for this object: its page begins with the reason and the next step. */
export function Why({ kind, id, ways = {} }: WhyProps) {
  const { data } = useQuery(overviewQuery());
  return data?.attention
    .filter(({ cause, object }) => object.kind === kind && object.id === id && ways[cause] !== null)
    .map(({ cause, code, params, text }) => {
      const way = ways[cause];
      return (
        <Notice
          key={cause}
          kind="warning"
          action={way && <ButtonLink href={way}>{t.common.whatToDo}</ButtonLink>}
        >
          <Sentence code={code} params={params} text={text} />
        </Notice>
      );
    });
}

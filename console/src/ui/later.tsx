import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadMore, t } from '../i18n/messages.js';
import { Notice } from './notice.js';
import { Skeleton } from './query-view.js';

/** A part that is loaded when it is drawn, with its words. */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | undefined;
  return (props: P) => {
    const [Part, setPart] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      Promise.all([load(), loadMore()]).then(
        ([file]) => {
          loaded = file.default;
          setPart(() => loaded);
        },
        () => setFailed(true),
      );
    }, []);
    if (isFailed)
      return (
        <Notice kind="warning" live>
          {t.frame.screenFailed}
        </Notice>
      );
    return Part ? <Part {...props} /> : <Skeleton lines={3} />;
  };
}

import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { Section } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { Skeleton } from '../../ui/query-view.js';

/** Loads the charts and their library when they come into view. */
export function Development({ id }: { id: number }) {
  const place = useRef<HTMLDivElement>(null);
  const [isFailed, setFailed] = useState(false);
  const [Plots, setPlots] = useState<ComponentType<{ id: number }> | null>(null);
  useEffect(() => {
    let isHere = true;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        void import('./plots/plots.js').then(
          (file) => isHere && setPlots(() => file.default),
          () => isHere && setFailed(true),
        );
      },
      { rootMargin: '200px' },
    );
    if (place.current) observer.observe(place.current);
    return () => {
      isHere = false;
      observer.disconnect();
    };
  }, []);
  return (
    <div ref={place}>
      <Section title={t.repository.development}>
        {Plots ? (
          <Plots id={id} />
        ) : isFailed ? (
          <Notice kind="warning">{t.frame.screenFailed}</Notice>
        ) : (
          <Skeleton lines={4} isLoading={false} />
        )}
      </Section>
    </div>
  );
}

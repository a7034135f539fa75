import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Skeleton } from '../../ui/query-view.js';

/** Drawn, with what it reads and loads, when it comes near. */
export function InView({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '200px',
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  if (isNear) return <>{children}</>;
  return (
    <div ref={place}>
      <Skeleton lines={4} isLoading={false} />
    </div>
  );
}

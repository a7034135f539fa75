import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import styles from './tabs.module.css';

/** Parts of one object, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly (readonly [string, string])[] }) {
  const [location] = useLocation();
  const current = tabs
    .map(([, href]) => href)
    .filter((href) => location === href || location.startsWith(`${href}/`))
    .sort((one, other) => other.length - one.length)[0];
  const list = useRef<HTMLElement>(null);
  // On a phone, the last tabs may be out of view.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={list} aria-label={label} class={styles.tabs}>
      {tabs.map(([text, href]) => (
        <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

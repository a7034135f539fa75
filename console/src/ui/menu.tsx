import { EllipsisVertical as Ellipsis } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { IconButton } from './button.js';
import styles from './menu.module.css';

export interface MenuItem {
  label: string;
  icon?: ComponentChildren;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

/** A button with a menu, by the ARIA practice: arrows move, Escape closes. The popover is the browser's. */
export function Menu({
  label,
  items,
  trigger,
}: {
  label: string;
  items: MenuItem[];
  trigger?: ComponentChildren;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLDivElement>(null);
  const entries = () => [...(list.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]') ?? [])];
  const place = () => {
    const opener = button.current?.getBoundingClientRect();
    const popover = list.current;
    if (!opener || !popover) return;
    const { width, height } = popover.getBoundingClientRect();
    const fitsBelow = opener.bottom + height + 8 < innerHeight;
    popover.style.top = `${fitsBelow ? opener.bottom + 4 : Math.max(8, opener.top - height - 4)}px`;
    popover.style.left = `${Math.max(8, Math.min(opener.right - width, innerWidth - width - 8))}px`;
    entries()[0]?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) {
      if (event.key === 'Tab') list.current?.hidePopover();
      return;
    }
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  return (
    <div ref={button} class={styles.opener}>
      <IconButton label={label} popovertarget={id} aria-haspopup="menu">
        {trigger ?? <Ellipsis aria-hidden="true" size={20} />}
      </IconButton>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class={styles.menu}
        onToggle={(event) => {
          if ((event as unknown as { newState: string }).newState === 'open') place();
        }}
        onKeyDown={move}
      >
        {items.map(({ label: text, icon, danger, disabled, onSelect }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={disabled}
            class={danger ? styles.danger : undefined}
            onClick={() => {
              list.current?.hidePopover();
              onSelect();
            }}
          >
            {icon}
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.js';
import { Empty } from '../ui/layout.js';
import { navigations } from './navigation.js';

interface ByClickProps {
  /** The effect, and why it waits. */
  sentence: string;
  action: string;
  children: ComponentChildren;
}

/** Loading a page never starts the backup tool. Actions that do start here, by a link or a button. */
export function ByClick({ sentence, action, children }: ByClickProps) {
  const [isAllowed, setAllowed] = useState(navigations.count > 0);
  if (isAllowed) return <>{children}</>;
  return (
    <Empty
      action={
        <Button look="primary" onClick={() => setAllowed(true)}>
          {action}
        </Button>
      }
    >
      {sentence}
    </Empty>
  );
}

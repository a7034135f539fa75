import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/messages.js';
import { TextField } from '../../ui/field.js';

interface CodeProps {
  isRecovery?: boolean;
  value: string;
  onValue: (value: string) => void;
}

/** Takes the focus: nothing else can be done at this step. */
export function CodeField({ isRecovery = false, ...rest }: CodeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={box}>
      <TextField
        {...rest}
        exact
        required
        label={isRecovery ? t.account.recoveryCode : t.account.code}
        hint={isRecovery ? t.account.recoveryHint : t.account.codeHint}
        {...(!isRecovery && {
          inputMode: 'numeric',
          autoComplete: 'one-time-code',
          name: 'code',
          maxLength: 7,
        })}
      />
    </div>
  );
}

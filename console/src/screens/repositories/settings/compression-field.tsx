import { useState } from 'preact/hooks';
import { t } from '../../../i18n/messages.js';
import { SelectField, TextField } from '../../../ui/field.js';

const usual = ['lz4', 'zstd', 'zstd,10', 'zlib', 'none'] as const;

interface CompressionFieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

export function CompressionField({ value, onValue, error }: CompressionFieldProps) {
  const isUsual = (usual as readonly string[]).includes(value);
  const [isOwn, setOwn] = useState(!isUsual);
  return (
    <>
      <SelectField
        label={t.configuration.fields.compression}
        hint={t.configuration.compressionHint}
        value={isOwn ? 'own' : value}
        onValue={(chosen) => {
          setOwn(chosen === 'own');
          if (chosen !== 'own') onValue(chosen);
        }}
        options={[
          ...usual.map((name) => [name, t.configuration.compressions[name]] as const),
          ['own', t.configuration.compressions.own],
        ]}
      />
      {isOwn && (
        <TextField
          label={t.configuration.compressionOwn}
          required
          maxLength={20}
          value={value}
          onValue={onValue}
          error={error}
          exact
        />
      )}
    </>
  );
}

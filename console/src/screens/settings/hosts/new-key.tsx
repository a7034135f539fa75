import { useState } from 'preact/hooks';
import { outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { RadioGroup, SecretField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { Section, Stack } from '../../../ui/layout.js';
import { useAction } from '../../../ui/use-action.js';

const ways = ['generate', 'text', 'file'] as const;
const types = ['ed25519', 'ecdsa', 'rsa'] as const;

const fresh = {
  way: 'generate' as (typeof ways)[number],
  type: 'ed25519' as (typeof types)[number],
  text: '',
  path: '',
  passphrase: '',
};
type Key = typeof fresh;

/** A new key, or one that there is already. */
export function NewKey() {
  const [key, setKey] = useState(fresh);
  const [name, setName] = useState(t.hosts.keyName);
  const action = useAction();
  const { way, text, path } = key;
  const set = (change: Partial<Key>) => setKey({ ...key, ...change });
  const given = way === 'text' ? text : path;
  const isMissing = name.trim() === '' || (way !== 'generate' && given.trim() === '');
  const add = () =>
    action.run(async () => {
      await make(name, key);
      announce(t.hosts.keyMade);
      outdate('/api/ssh-keys');
    });
  return (
    <Stack>
      <RadioGroup
        legend={t.hosts.keyWay}
        value={way}
        onValue={(next) => set({ way: next })}
        options={ways.map((value) => ({
          value,
          label: t.hosts.keyWays[value],
          hint: t.hosts.keyWayHints[value],
        }))}
      />
      <Section title={t.hosts.keyWays[way]} card>
        <Form
          action={action}
          onSubmit={add}
          submit={way === 'generate' ? t.hosts.makeKey : t.hosts.importKey}
          disabled={isMissing}
        >
          <TextField
            label={t.common.name}
            error={errorAt(action.error, 'name')}
            required
            value={name}
            onValue={setName}
          />
          {way === 'generate' ? (
            <SelectField
              label={t.hosts.keyType}
              value={key.type}
              onValue={(type) => set({ type })}
              options={types.map((each) => [each, t.hosts.keyTypes[each]] as const)}
            />
          ) : (
            <ExistingKey value={key} set={set} error={action.error} />
          )}
        </Form>
      </Section>
    </Stack>
  );
}

function make(name: string, { way, type, text, path, passphrase }: Key): Promise<unknown> {
  const secret = passphrase === '' ? {} : { passphrase };
  if (way === 'generate') return write('POST', '/api/ssh-keys/generate', { body: { name, key_type: type } });
  return way === 'text'
    ? write('POST', '/api/ssh-keys', { body: { name, private_key: text, ...secret } })
    : write('POST', '/api/ssh-keys/import', { body: { name, private_key_path: path, ...secret } });
}

interface ExistingProps {
  value: Key;
  set: (change: Partial<Key>) => void;
  error: unknown;
}

/** As text, or as a file of the server. */
const ExistingKey = ({ value, set, error }: ExistingProps) => (
  <>
    {value.way === 'text' ? (
      <TextArea
        label={t.hosts.privateKey}
        hint={t.hosts.privateKeyHint}
        error={errorAt(error, 'private_key')}
        code
        rows={8}
        autoComplete="off"
        spellcheck={false}
        value={value.text}
        onValue={(text) => set({ text })}
      />
    ) : (
      <TextField
        label={t.hosts.keyPath}
        hint={t.hosts.keyPathHint}
        error={errorAt(error, 'private_key_path')}
        autoCapitalize="none"
        spellcheck={false}
        placeholder="/root/.ssh/id_ed25519"
        value={value.path}
        onValue={(path) => set({ path })}
      />
    )}
    <SecretField
      label={t.hosts.keyPassphrase}
      hint={t.hosts.keyPassphraseHint}
      error={errorAt(error, 'passphrase')}
      autoComplete="off"
      value={value.passphrase}
      onValue={(passphrase) => set({ passphrase })}
    />
  </>
);

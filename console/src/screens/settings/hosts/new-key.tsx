import { useState } from 'preact/hooks';
import { api } from '../../../api/api.js';
import { answer } from '../../../api/client.js';
import { outdate } from '../../../api/query-client.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { RadioGroup, SecretField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { Section, Stack } from '../../../ui/layout.js';
import { useAction } from '../../../ui/use-action.js';

const ways = ['generate', 'text', 'file'] as const;
const types = ['ed25519', 'ecdsa', 'rsa'] as const;

/** A new key, or one that there is already. */
export function NewKey() {
  const [way, setWay] = useState<(typeof ways)[number]>('generate');
  const [type, setType] = useState<(typeof types)[number]>('ed25519');
  const [name, setName] = useState(t.hosts.keyName);
  const [text, setText] = useState('');
  const [path, setPath] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const action = useAction();
  const secret = passphrase === '' ? {} : { passphrase };
  const make = () =>
    action.run(async () => {
      await {
        generate: () => answer(api.POST('/api/ssh-keys/generate', { body: { name, key_type: type } })),
        text: () => answer(api.POST('/api/ssh-keys', { body: { name, private_key: text, ...secret } })),
        file: () =>
          answer(api.POST('/api/ssh-keys/import', { body: { name, private_key_path: path, ...secret } })),
      }[way]();
      announce(t.hosts.keyMade);
      outdate('/api/ssh-keys');
    });
  return (
    <Stack>
      <RadioGroup
        legend={t.hosts.keyWay}
        value={way}
        onValue={setWay}
        options={ways.map((value) => ({
          value,
          label: t.hosts.keyWays[value],
          hint: t.hosts.keyWayHints[value],
        }))}
      />
      <Section title={t.hosts.keyWays[way]} card>
        <Form
          action={action}
          onSubmit={make}
          submit={way === 'generate' ? t.hosts.makeKey : t.hosts.importKey}
          disabled={
            name.trim() === '' ||
            (way === 'text' && text.trim() === '') ||
            (way === 'file' && path.trim() === '')
          }
        >
          <TextField
            label={t.hosts.keyNameLabel}
            error={errorAt(action.error, 'name')}
            required
            value={name}
            onValue={setName}
          />
          {way === 'generate' && (
            <SelectField
              label={t.hosts.keyType}
              value={type}
              onValue={setType}
              options={types.map((each) => [each, t.hosts.keyTypes[each]] as const)}
            />
          )}
          {way === 'text' && (
            <TextArea
              label={t.hosts.privateKey}
              hint={t.hosts.privateKeyHint}
              error={errorAt(action.error, 'private_key')}
              code
              rows={8}
              autoComplete="off"
              spellcheck={false}
              value={text}
              onValue={setText}
            />
          )}
          {way === 'file' && (
            <TextField
              label={t.hosts.keyPath}
              hint={t.hosts.keyPathHint}
              error={errorAt(action.error, 'private_key_path')}
              autoCapitalize="none"
              spellcheck={false}
              placeholder="/root/.ssh/id_ed25519"
              value={path}
              onValue={setPath}
            />
          )}
          {way !== 'generate' && (
            <SecretField
              label={t.hosts.keyPassphrase}
              hint={t.hosts.keyPassphraseHint}
              error={errorAt(action.error, 'passphrase')}
              autoComplete="off"
              value={passphrase}
              onValue={setPassphrase}
            />
          )}
        </Form>
      </Section>
    </Stack>
  );
}

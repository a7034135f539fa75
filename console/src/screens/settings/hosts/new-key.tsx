import { outdate, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { RadioGroup, SecretField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../../ui/form.js';
import { Section, Stack } from '../../../ui/layout.js';

const ways = ['generate', 'text', 'file'] as const;
const types = ['ed25519', 'ecdsa', 'rsa'] as const;

const fresh = {
  name: '',
  way: 'generate' as (typeof ways)[number],
  type: 'ed25519' as (typeof types)[number],
  private_key: '',
  private_key_path: '',
  passphrase: '',
};
type Key = typeof fresh;

export function NewKey() {
  const [key, set] = useDraft(() => ({ ...fresh, name: t.hosts.keyName }));
  const action = useAction();
  const { name, way, private_key, private_key_path } = key;
  const field = fieldsOf(key, set, action.error);
  const given = way === 'text' ? private_key : private_key_path;
  const isMissing = name.trim() === '' || (way !== 'generate' && given.trim() === '');
  const add = () =>
    action.run(async () => {
      await make(key);
      announce(t.hosts.keyMade);
      outdate('/api/ssh-keys');
    });
  return (
    <Stack>
      <RadioGroup
        legend={t.hosts.keyWay}
        {...field.value('way')}
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
          <TextField label={t.common.name} required {...field.value('name')} />
          {way === 'generate' && (
            <SelectField
              label={t.hosts.keyType}
              {...field.value('type')}
              options={types.map((each) => [each, t.hosts.keyTypes[each]] as const)}
            />
          )}
          {way === 'text' && (
            <TextArea
              label={t.hosts.privateKey}
              hint={t.hosts.privateKeyHint}
              code
              rows={8}
              {...field.value('private_key')}
            />
          )}
          {way === 'file' && (
            <TextField
              label={t.hosts.keyPath}
              hint={t.restore.toOriginHint}
              exact
              placeholder="/root/.ssh/id_ed25519"
              {...field.value('private_key_path')}
            />
          )}
          {way !== 'generate' && (
            <SecretField
              label={t.hosts.keyPassphrase}
              hint={t.hosts.keyPassphraseHint}
              {...field.value('passphrase')}
            />
          )}
        </Form>
      </Section>
    </Stack>
  );
}

function make({ name, way, type, private_key, private_key_path, passphrase }: Key): Promise<unknown> {
  const secret = passphrase === '' ? {} : { passphrase };
  if (way === 'generate') return write('POST', '/api/ssh-keys/generate', { body: { name, key_type: type } });
  return way === 'text'
    ? write('POST', '/api/ssh-keys', { body: { name, private_key, ...secret } })
    : write('POST', '/api/ssh-keys/import', { body: { name, private_key_path, ...secret } });
}

import { useState } from 'preact/hooks';
import { outdate, write } from '../../../api/api.js';
import { refused } from '../../../api/refused.js';
import { t } from '../../../i18n/messages.js';
import { spoken } from '../../../i18n/sentences.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copy.js';
import { SelectField } from '../../../ui/field.js';
import { Form } from '../../../ui/form.js';
import { Stack } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { ErrorNotice } from '../../../ui/notice.js';
import { useAction } from '../../../ui/use-action.js';
import { AddressFields } from './edit-host.js';
import styles from './hosts.module.css';
import { JumpField, noRestriction, RestrictionFields } from './parts.js';
import { type RecipeName, recipeNames, recipes, restrictedLine } from './recipes.js';
import { FingerprintField, type WayProps } from './with-password.js';

/** The key is shown with the steps for the service; then it is tried. */
export function WithPaste({ systemKey, onDone }: WayProps) {
  const [recipe, setRecipe] = useState<RecipeName>('any');
  const [address, setAddress] = useState({ host: '', username: '', port: 22 });
  const [fingerprint, setFingerprint] = useState('');
  const [restriction, setRestriction] = useState(noRestriction);
  const [jump, setJump] = useState<number | null>(null);
  const action = useAction();
  if (!systemKey) return <MakeKey />;
  const line =
    restriction.isOn && restriction.path.trim()
      ? restrictedLine(systemKey.public_key.trim(), restriction.path.trim(), restriction.appendOnly)
      : systemKey.public_key.trim();
  const connect = () =>
    action.run(async () => {
      const tested = await write('POST', '/api/ssh-keys/{key_id}/test-connection', {
        path: { key_id: systemKey.id },
        body: {
          ...address,
          ...(jump !== null && { jump_connection_id: jump }),
          ...(fingerprint.trim() && { host_key_fingerprint: fingerprint.trim() }),
        },
      });
      if (tested.success) return onDone(tested.connection, spoken(tested));
      // The connection is kept, so it is seen in the list.
      outdate('/api/ssh-keys');
      throw refused(tested);
    });
  return (
    <Form
      action={action}
      onSubmit={connect}
      submit={t.hosts.connect}
      disabled={!address.host.trim() || !address.username.trim() || !address.port}
    >
      <SelectField
        label={t.hosts.service}
        value={recipe}
        onValue={(next) => {
          setRecipe(next);
          setAddress({ ...address, port: recipes[next].example.port });
        }}
        options={recipeNames.map((name) => [name, t.hosts.recipes[name].name] as const)}
      />
      <AddressFields
        value={address}
        onValue={(part) => setAddress({ ...address, ...part })}
        error={action.error}
      />
      {recipe === 'any' && (
        <RestrictionFields value={restriction} onValue={setRestriction} error={action.error} />
      )}
      <Steps recipe={recipe} line={line} address={address} />
      <Stack tight>
        <h3>{t.hosts.publicKey}</h3>
        <Copyable text={line} label={t.hosts.publicKey} />
      </Stack>
      <More label={t.hosts.special}>
        <JumpField value={jump} onValue={setJump} error={action.error} />
        <FingerprintField value={fingerprint} onValue={setFingerprint} error={action.error} />
      </More>
    </Form>
  );
}

interface StepsProps {
  recipe: RecipeName;
  /** Of the key, as `authorized_keys` has it. */
  line: string;
  /** As far as it is typed. */
  address: { host: string; username: string; port: number };
}

/** Steps on the side of the service. */
function Steps({ recipe, line, address: { host, username, port } }: StepsProps) {
  const { example, command } = recipes[recipe];
  const target = {
    host: host.trim() || example.host,
    username: username.trim() || example.username,
    port: port || example.port,
  };
  return (
    <ol class={styles.steps}>
      {t.hosts.recipes[recipe].steps.map((step) => (
        <li key={step}>
          <p>{step}</p>
        </li>
      ))}
      <li>
        {command ? (
          <>
            <p>{recipe === 'any' || recipe === 'synology' ? t.hosts.runThere : t.hosts.runAnywhere}</p>
            <Copyable text={command(line, target)} label={t.hosts.command} />
          </>
        ) : (
          <p>{t.hosts.pasteKey}</p>
        )}
      </li>
    </ol>
  );
}

function MakeKey() {
  const action = useAction();
  const make = () =>
    action.run(async () => {
      await write('POST', '/api/ssh-keys/generate', { body: { name: t.hosts.keyName, key_type: 'ed25519' } });
      outdate('/api/ssh-keys');
    });
  return (
    <Stack>
      <p>{t.hosts.noKeyYet}</p>
      {action.error ? <ErrorNotice error={action.error} /> : null}
      <div>
        <Button look="primary" busy={action.isBusy} onClick={() => void make()}>
          {t.hosts.makeKey}
        </Button>
      </div>
    </Stack>
  );
}

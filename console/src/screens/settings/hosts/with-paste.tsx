import { useState } from 'preact/hooks';
import { outdate, write } from '../../../api/api.js';
import { refused } from '../../../api/refused.js';
import { t } from '../../../i18n/messages.js';
import { spoken } from '../../../i18n/sentences.js';
import { ActionButton } from '../../../ui/action-button.js';
import { Copyable } from '../../../ui/copy.js';
import { SelectField } from '../../../ui/field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../../ui/form.js';
import { Stack } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { AddressFields } from './edit-host.js';
import styles from './hosts.module.css';
import { JumpField, noRestriction, RestrictionFields } from './parts.js';
import { type RecipeName, recipeNames, recipes, restrictedLine } from './recipes.js';
import {
  addressIn,
  FingerprintField,
  isWhole,
  noAddress,
  throughIn,
  type WayProps,
} from './with-password.js';

/** The key is shown with the steps for the service; then it is tried. */
export function WithPaste({
  systemKey,
  onDone,
  first = 'any',
}: WayProps & { first?: RecipeName | undefined }) {
  const [recipe, setRecipe] = useState(first);
  const [draft, change] = useDraft({ ...noAddress, port: recipes[first].example.port });
  const [restriction, setRestriction] = useState(noRestriction);
  const action = useAction();
  const field = fieldsOf(draft, change, action.error);
  if (!systemKey) return <MakeKey />;
  const line =
    restriction.isOn && restriction.path.trim()
      ? restrictedLine(systemKey.public_key.trim(), restriction.path.trim(), restriction.appendOnly)
      : systemKey.public_key.trim();
  const connect = () =>
    action.run(async () => {
      const tested = await write('POST', '/api/ssh-keys/{key_id}/test-connection', {
        path: { key_id: systemKey.id },
        body: { ...addressIn(draft), ...throughIn(draft) },
      });
      if (tested.success) return onDone(tested.connection, spoken(tested));
      // The connection is kept, so it is seen in the list.
      outdate('/api/ssh-keys');
      throw refused(tested);
    });
  return (
    <Form action={action} onSubmit={connect} submit={t.hosts.connect} disabled={!isWhole(draft)}>
      <SelectField
        label={t.hosts.service}
        value={recipe}
        onValue={(next) => {
          setRecipe(next);
          change({ port: recipes[next].example.port });
        }}
        options={recipeNames.map((name) => [name, t.hosts.recipes[name].name] as const)}
      />
      <AddressFields value={draft} onValue={change} error={action.error} />
      {recipe === 'any' && (
        <RestrictionFields value={restriction} onValue={setRestriction} error={action.error} />
      )}
      <Steps recipe={recipe} line={line} address={draft} />
      <Stack tight>
        <h3>{t.hosts.publicKey}</h3>
        <Copyable text={line} label={t.hosts.publicKey} />
      </Stack>
      <More label={t.configuration.rarely}>
        <JumpField {...field.value('jump_connection_id')} />
        <FingerprintField {...field.value('host_key_fingerprint')} />
      </More>
    </Form>
  );
}

interface StepsProps {
  recipe: RecipeName;
  /** Of the key, as `authorized_keys` has it. */
  line: string;
  address: { host: string; username: string; port: number };
}

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
            <Copyable text={command(line, target)} label={t.frame.kinds.command} />
          </>
        ) : (
          <p>{t.hosts.pasteKey}</p>
        )}
      </li>
    </ol>
  );
}

const MakeKey = () => (
  <Stack>
    <p>{t.hosts.noKeyYet}</p>
    <div>
      <ActionButton
        look="primary"
        onAct={async () => {
          const body = { name: t.hosts.keyName, key_type: 'ed25519' } as const;
          await write('POST', '/api/ssh-keys/generate', { body });
          outdate('/api/ssh-keys');
        }}
      >
        {t.hosts.makeKey}
      </ActionButton>
    </div>
  </Stack>
);

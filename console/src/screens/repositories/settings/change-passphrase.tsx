import { useState } from 'preact/hooks';
import { outdate, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { CheckField, SecretField } from '../../../ui/field.js';

/** For one repository, and for others that get the same: one job each. */
export function ChangePassphrase({ id, onClose }: { id: number; onClose: () => void }) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([id]);
  const { repositories = [] } = useRead('/api/repositories/').data ?? {};
  const others = repositories.filter(
    (each) => each.id !== id && each.encryption !== 'none' && each.mode === 'full',
  );
  const { secret } = t.configuration;
  const isSame = passphrase === again;
  return (
    <ConfirmDialog
      title={secret.change}
      action={secret.change}
      disabled={passphrase.trim() === '' || !isSame}
      onClose={onClose}
      onConfirm={async () => {
        for (const each of chosen) {
          const given = { path: { repo_id: each }, body: { passphrase } };
          await write('POST', '/api/repositories/{repo_id}/change-passphrase', given);
          // A second attempt is only for the rest.
          setChosen((before) => before.filter((other) => other !== each));
        }
        outdate('/api/jobs');
        announce(secret.changing(chosen.length));
      }}
    >
      <p>{secret.changeMeans}</p>
      <SecretField label={secret.passphrase} value={passphrase} onValue={setPassphrase} required />
      <SecretField
        label={secret.repeat}
        value={again}
        onValue={setAgain}
        error={again !== '' && !isSame ? secret.notSame : undefined}
        required
      />
      {others.length > 0 && (
        <fieldset>
          <legend>{secret.others}</legend>
          {others.map((each) => (
            <CheckField
              key={each.id}
              label={each.name}
              checked={chosen.includes(each.id)}
              onChecked={(isOn) =>
                setChosen((before) => [
                  ...before.filter((other) => other !== each.id),
                  ...(isOn ? [each.id] : []),
                ])
              }
            />
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}

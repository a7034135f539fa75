import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { api, outdate, readNow, readTagged, type Schemas, write } from '../../../api/api.js';
import { answerWithTag } from '../../../api/client.js';
import { user as signedIn } from '../../../hub/link.js';
import { t } from '../../../i18n/messages.js';
import { useStore } from '../../../store.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.js';
import { Conflict, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, SecretField, TextField } from '../../../ui/field.js';
import { errorAt } from '../../../ui/field-errors.js';
import { Form } from '../../../ui/form.js';
import { QueryView } from '../../../ui/query-view.js';
import { useAction } from '../../../ui/use-action.js';

type User = Schemas['UserView'];

export function NewUser({ onClose }: { onClose: () => void }) {
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isAdmin, setAdmin] = useState(false);
  const action = useAction();
  const create = () =>
    action.run(async () => {
      await write('POST', '/api/auth/users', {
        body: { username, password, is_admin: isAdmin, ...(email.trim() && { email: email.trim() }) },
      });
      announce(t.people.added(username));
      outdate('/api/auth/users');
      onClose();
    });
  return (
    <Dialog title={t.people.addUser} onClose={onClose}>
      <Form
        action={action}
        onSubmit={create}
        submit={t.people.addUser}
        onCancel={onClose}
        disabled={username.trim() === '' || password.length < 8}
      >
        <TextField
          label={t.people.username}
          error={errorAt(action.error, 'username')}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          value={username}
          onValue={setUsername}
        />
        <EmailField value={email} onValue={setEmail} error={action.error} />
        <PasswordField path="password" value={password} onValue={setPassword} error={action.error} />
        <CheckField label={t.people.admin} hint={t.people.adminHint} checked={isAdmin} onChecked={setAdmin} />
      </Form>
    </Dialog>
  );
}

interface FieldProps {
  value: string;
  onValue: (value: string) => void;
  error: unknown;
}

const EmailField = ({ error, ...rest }: FieldProps) => (
  <TextField
    {...rest}
    label={t.people.email}
    error={errorAt(error, 'email')}
    type="email"
    autoComplete="off"
  />
);

const PasswordField = ({ path, error, ...rest }: FieldProps & { path: string }) => (
  <SecretField
    {...rest}
    label={t.people.firstPassword}
    hint={t.people.firstPasswordHint}
    error={errorAt(error, path)}
    required
    autoComplete="new-password"
  />
);

const userQuery = (id: number) => readTagged('/api/auth/users/{id}', { path: { id } });
const draftOf = ({ email, is_active, is_admin }: User) => ({ email, is_active, is_admin });
const drafted = ({ data, etag }: Tagged<User>) => ({ data: draftOf(data), etag });

export function EditUser({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery({ ...userQuery(id), staleTime: 0 });
  return (
    <Dialog title={query.data?.data.username ?? t.common.edit} onClose={onClose}>
      <QueryView query={query} gone={t.settings.gone}>
        {(tagged) => <EditForm tagged={tagged} onClose={onClose} />}
      </QueryView>
    </Dialog>
  );
}

function EditForm({ tagged, onClose }: { tagged: Tagged<User>; onClose: () => void }) {
  const { id } = tagged.data;
  const isMe = useStore(signedIn)?.id === id;
  const editing = useEditing(
    drafted(tagged),
    async (changes, etag) => {
      await write('PUT', '/api/auth/users/{id}', { path: { id }, etag, body: changes });
      outdate('/api/auth/users');
    },
    async () => drafted(await readNow(userQuery(id))),
  );
  const { draft, change } = editing;
  return (
    <Form
      action={editing}
      onSubmit={async () => (await editing.save()) && onClose()}
      submit={t.settings.saveChanges}
      disabled={!editing.isDirty}
      onCancel={onClose}
    >
      <EmailField
        value={draft.email ?? ''}
        onValue={(email) => change({ email: email === '' ? null : email })}
        error={editing.error}
      />
      <CheckField
        label={t.people.admin}
        hint={isMe ? t.people.notYourself : t.people.adminHint}
        disabled={isMe}
        checked={draft.is_admin}
        onChecked={(is_admin) => change({ is_admin })}
      />
      <CheckField
        label={t.people.active}
        hint={isMe ? t.people.notYourself : t.people.activeHint}
        disabled={isMe}
        checked={draft.is_active}
        onChecked={(is_active) => change({ is_active })}
      />
      <Conflict
        editing={editing}
        labels={{ email: t.people.email, is_admin: t.people.admin, is_active: t.people.active }}
      />
    </Form>
  );
}

export function ResetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const action = useAction();
  const reset = () =>
    action.run(async () => {
      await write('POST', '/api/settings/users/{id}/reset-password', {
        path: { id: user.id },
        body: { new_password: password },
      });
      announce(t.people.wasReset(user.username));
      outdate('/api/auth/users');
      onClose();
    });
  return (
    <Dialog title={t.people.resetTitle(user.username)} onClose={onClose}>
      <Form
        action={action}
        onSubmit={reset}
        submit={t.people.reset}
        onCancel={onClose}
        disabled={password.length < 8}
      >
        <p>{t.people.resetMeans}</p>
        <PasswordField path="new_password" value={password} onValue={setPassword} error={action.error} />
      </Form>
    </Dialog>
  );
}

export const DeleteUser = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <ConfirmDialog
    title={t.people.deleteTitle(user.username)}
    action={t.common.delete}
    danger
    onClose={onClose}
    onConfirm={async () => {
      const { etag } = await answerWithTag(
        api.GET('/api/auth/users/{id}', { params: { path: { id: user.id } } }),
      );
      await write('DELETE', '/api/auth/users/{id}', { path: { id: user.id }, etag });
      announce(t.people.deleted(user.username));
      outdate('/api/auth/users');
    }}
  >
    <p>{t.people.deleteMeans}</p>
  </ConfirmDialog>
);

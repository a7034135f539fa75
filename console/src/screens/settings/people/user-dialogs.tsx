import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { outdate, readNow, readTagged, type Schemas, write } from '../../../api/api.js';
import { user as signedIn } from '../../../hub/link.js';
import { t } from '../../../i18n/messages.js';
import { useStore } from '../../../store.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, errorAt, SecretField, TextField } from '../../../ui/field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../../ui/form.js';
import { QueryView } from '../../../ui/query-view.js';

type User = Schemas['UserView'];

export function NewUser({ onClose }: { onClose: () => void }) {
  const [user, change] = useDraft({ username: '', email: '', password: '', is_admin: false });
  const action = useAction();
  const field = fieldsOf(user, change, action.error);
  const create = () =>
    action.run(async () => {
      const { email, ...body } = user;
      await write('POST', '/api/auth/users', {
        body: { ...body, ...(email.trim() && { email: email.trim() }) },
      });
      announce(t.people.added(user.username));
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
        disabled={user.username.trim() === '' || user.password.length < 8}
      >
        <TextField label={t.frame.username} required exact {...field.value('username')} />
        <EmailField {...field.value('email')} />
        <PasswordField {...field.value('password')} />
        <CheckField label={t.people.admin} hint={t.people.adminHint} {...field.check('is_admin')} />
      </Form>
    </Dialog>
  );
}

interface FieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

const EmailField = (props: FieldProps) => (
  <TextField {...props} label={t.people.email} type="email" autoComplete="off" />
);

const PasswordField = (props: FieldProps) => (
  <SecretField
    {...props}
    label={t.frame.password}
    hint={t.people.firstPasswordHint}
    required
    autoComplete="new-password"
  />
);

const userQuery = (id: number) => readTagged('/api/auth/users/{id}', { path: { id } });
const draftOf = ({ email, is_active, is_admin }: User) => ({ email, is_active, is_admin });
export function EditUser({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery({ ...userQuery(id), staleTime: 0 });
  return (
    <Dialog title={query.data?.data.username ?? t.common.edit} onClose={onClose}>
      <QueryView query={query} gone={t.settings.gone}>
        {(tagged) => <EditOne tagged={tagged} onClose={onClose} />}
      </QueryView>
    </Dialog>
  );
}

function EditOne({ tagged, onClose }: { tagged: Tagged<User>; onClose: () => void }) {
  const { id } = tagged.data;
  const isMe = useStore(signedIn)?.id === id;
  const editing = useEditing({
    tagged,
    draftOf,
    query: userQuery(id),
    save: async (body, etag) => {
      await write('PUT', '/api/auth/users/{id}', { path: { id }, etag, body });
      outdate('/api/auth/users');
    },
  });
  const { field } = editing;
  const { email, admin, active, adminHint, activeHint, notYourself } = t.people;
  const check = (hint: string) => ({ hint: isMe ? notYourself : hint, disabled: isMe });
  return (
    <EditForm editing={editing} labels={{ email, is_admin: admin, is_active: active }} onClose={onClose}>
      <EmailField {...field.orNull('email')} />
      <CheckField label={admin} {...check(adminHint)} {...field.check('is_admin')} />
      <CheckField label={active} {...check(activeHint)} {...field.check('is_active')} />
    </EditForm>
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
        <PasswordField value={password} onValue={setPassword} error={errorAt(action.error, 'new_password')} />
      </Form>
    </Dialog>
  );
}

export const DeleteUser = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <ConfirmDialog
    title={t.common.deleteTitle(user.username)}
    action={t.common.delete}
    danger
    onClose={onClose}
    onConfirm={async () => {
      const { etag } = await readNow(userQuery(user.id));
      await write('DELETE', '/api/auth/users/{id}', { path: { id: user.id }, etag });
      announce(t.common.deleted(user.username));
      outdate('/api/auth/users');
    }}
  >
    <p>{t.people.deleteMeans}</p>
  </ConfirmDialog>
);

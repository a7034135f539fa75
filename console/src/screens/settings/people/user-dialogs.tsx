import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { outdate, readNow, readTagged, type Schemas, write } from '../../../api/api.js';
import { user as signedIn } from '../../../hub/link.js';
import type { Grant } from '../../../hub/may.js';
import { t } from '../../../i18n/messages.js';
import { useStore } from '../../../store.js';
import { announce } from '../../../ui/announce.js';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.js';
import { EditForm, type Tagged, useEditing } from '../../../ui/editing.js';
import { CheckField, errorAt, SecretField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../../ui/form.js';
import { linesOf } from '../../../ui/lines.js';
import { QueryView } from '../../../ui/query-view.js';
import { GrantsField, useGrantWords } from './grants.js';

type User = Schemas['UserView'];

export function NewUser({ onClose }: { onClose: () => void }) {
  const [user, change] = useDraft({
    username: '',
    email: '',
    password: '',
    role: 'user' as Role,
    grants: [] as Grant[],
    restore_paths: '',
  });
  const action = useAction();
  const field = fieldsOf(user, change, action.error);
  const create = () =>
    action.run(async () => {
      const { username, password, email, role } = user;
      const body = { username, password, role, ...rightsOf(role, user) };
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
        <RightsFields role={user.role} field={field} />
      </Form>
    </Dialog>
  );
}

type Role = User['role'];
type RightsDraft = { role: Role; grants: Grant[]; restore_paths: string };

/** Other roles have none; the form keeps them until the user is saved. */
const rightsOf = (role: Role, { grants, restore_paths }: Partial<RightsDraft>) =>
  role === 'limited'
    ? {
        ...(grants && { grants }),
        ...(restore_paths !== undefined && { restore_paths: linesOf(restore_paths) }),
      }
    : {};

interface RightsProps {
  role: Role;
  field: Pick<ReturnType<typeof fieldsOf<RightsDraft>>, 'value'>;
  isMe?: boolean;
}

const RightsFields = ({ role, field, isMe = false }: RightsProps) => (
  <>
    <SelectField
      label={t.people.role}
      hint={isMe ? t.people.notYourself : t.people.roleHints[role]}
      disabled={isMe}
      {...field.value('role')}
      options={(['admin', 'user', 'limited'] as const).map((one) => [one, t.people.roles[one]] as const)}
    />
    {role === 'limited' && (
      <>
        <GrantsField {...field.value('grants')} />
        <TextArea
          label={t.people.folders}
          hint={t.people.foldersHint}
          code
          rows={2}
          {...field.value('restore_paths')}
        />
      </>
    )}
  </>
);

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
const draftOf = ({ email, is_active, role, grants, restore_paths }: User) => ({
  email,
  is_active,
  role,
  grants,
  restore_paths: restore_paths.join('\n'),
});

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
      const { grants, restore_paths, ...changes } = body;
      const role = body.role ?? tagged.data.role;
      await write('PUT', '/api/auth/users/{id}', {
        path: { id },
        etag,
        body: { ...changes, ...rightsOf(role, { grants, restore_paths }) },
      });
      outdate('/api/auth/users');
    },
  });
  const { inWords } = useGrantWords();
  const { field } = editing;
  const { email, role, active, activeHint, notYourself, folders } = t.people;
  const grants = t.frame.place.repositories;
  return (
    <EditForm
      editing={editing}
      labels={{ email, role, is_active: active, grants, restore_paths: folders }}
      words={{
        role: (value) => t.people.roles[value as Role],
        grants: (value) => inWords(value as Grant[]),
      }}
      onClose={onClose}
    >
      <EmailField {...field.orNull('email')} />
      <CheckField
        label={active}
        hint={isMe ? notYourself : activeHint}
        disabled={isMe}
        {...field.check('is_active')}
      />
      <RightsFields role={editing.draft.role} field={field} isMe={isMe} />
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

export const ResetFactor = ({ user: { id, username }, onClose }: { user: User; onClose: () => void }) => (
  <ConfirmDialog
    title={t.people.resetFactorTitle(username)}
    action={t.people.resetFactor}
    danger
    onClose={onClose}
    onConfirm={async () => {
      await write('POST', '/api/settings/users/{id}/reset-factor', { path: { id } });
      announce(t.people.factorReset(username));
      outdate('/api/auth/users');
    }}
  >
    <p>{t.people.resetFactorMeans}</p>
  </ConfirmDialog>
);

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

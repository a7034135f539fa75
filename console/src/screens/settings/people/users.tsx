import { useState } from 'preact/hooks';
import { type Schemas, useRead } from '../../../api/api.js';
import { user as signedIn } from '../../../hub/link.js';
import { t } from '../../../i18n/messages.js';
import { useStore } from '../../../store.js';
import { Button } from '../../../ui/button.js';
import { DataList } from '../../../ui/data-list.js';
import { Section } from '../../../ui/layout.js';
import { Menu } from '../../../ui/menu.js';
import { QueryView } from '../../../ui/query-view.js';
import { useGrantWords } from './grants.js';
import { DeleteUser, EditUser, NewUser, ResetFactor, ResetPassword } from './user-dialogs.js';

type User = Schemas['UserView'];
type Asking = { dialog: 'new' } | { dialog: 'edit' | 'reset' | 'factor' | 'delete'; user: User } | null;

export function Users() {
  const query = useRead('/api/auth/users');
  const me = useStore(signedIn);
  const { inWords } = useGrantWords();
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  return (
    <Section
      title={t.people.users}
      actions={<Button onClick={() => setAsking({ dialog: 'new' })}>{t.people.addUser}</Button>}
    >
      <QueryView query={query}>
        {(users) => (
          <DataList
            label={t.people.users}
            name="users"
            rows={users}
            columns={(of) => [
              of.name(({ username }) => username, t.frame.username),
              of.text('email', t.people.email, ({ email }) => email),
              of.text('role', t.people.role, roleOf, { width: '9rem' }),
              of.text('factor', t.people.secondFactor, factorOf, { width: '9rem' }),
              of.time('at', t.people.lastLogin, ({ last_login }) => last_login, t.common.never),
            ]}
            actions={(user) => (
              <Menu
                label={t.people.menu(user.username)}
                items={[
                  { label: t.common.edit, onSelect: () => setAsking({ dialog: 'edit', user }) },
                  { label: t.people.reset, onSelect: () => setAsking({ dialog: 'reset', user }) },
                  {
                    label: t.people.resetFactor,
                    disabled: !hasFactor(user),
                    onSelect: () => setAsking({ dialog: 'factor', user }),
                  },
                  {
                    label: t.common.delete,
                    danger: true,
                    disabled: user.id === me?.id,
                    onSelect: () => setAsking({ dialog: 'delete', user }),
                  },
                ]}
              />
            )}
            below={({ role, grants, must_change_password, has_password }) =>
              [
                role === 'limited' && inWords(grants),
                must_change_password && t.people.mustChange,
                !has_password && t.people.noPassword,
              ]
                .filter(Boolean)
                .join(' · ')
            }
          />
        )}
      </QueryView>
      {asking?.dialog === 'new' && <NewUser onClose={close} />}
      {asking?.dialog === 'edit' && <EditUser id={asking.user.id} onClose={close} />}
      {asking?.dialog === 'reset' && <ResetPassword user={asking.user} onClose={close} />}
      {asking?.dialog === 'factor' && <ResetFactor user={asking.user} onClose={close} />}
      {asking?.dialog === 'delete' && <DeleteUser user={asking.user} onClose={close} />}
    </Section>
  );
}

const roleOf = ({ is_active, role }: User): string => (is_active ? t.people.roles[role] : t.people.inactive);

const hasFactor = ({ second_factor: { totp, passkeys } }: User): boolean => totp || passkeys > 0;

const factorOf = ({ second_factor: { totp, passkeys } }: User): string =>
  [totp && t.people.app, passkeys > 0 && t.people.passkeys(passkeys)].filter(Boolean).join(', ') ||
  t.common.none;

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../../../api/api.js';
import type { Schemas } from '../../../api/client.js';
import { user as signedIn } from '../../../hub/link.js';
import { ago } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { useStore } from '../../../store.js';
import { Button } from '../../../ui/button.js';
import { Section } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { Menu } from '../../../ui/menu.js';
import { QueryView } from '../../../ui/query-view.js';
import { useMinute } from '../../../ui/time.js';
import { DeleteUser, EditUser, NewUser, ResetPassword } from './user-dialogs.js';

type User = Schemas['UserView'];
type Asking = { dialog: 'new' } | { dialog: 'edit' | 'reset' | 'delete'; user: User } | null;

export function Users() {
  useMinute();
  const query = useQuery(read('/api/auth/users'));
  const me = useStore(signedIn);
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  return (
    <Section
      title={t.people.users}
      actions={<Button onClick={() => setAsking({ dialog: 'new' })}>{t.people.addUser}</Button>}
    >
      <QueryView query={query}>
        {(users) => (
          <List label={t.people.users}>
            {users.map((user) => (
              <ListItem
                key={user.id}
                title={<bdi>{user.username}</bdi>}
                note={<bdi>{noteOf(user)}</bdi>}
                actions={
                  <Menu
                    label={t.people.menu(user.username)}
                    items={[
                      { label: t.common.edit, onSelect: () => setAsking({ dialog: 'edit', user }) },
                      { label: t.people.reset, onSelect: () => setAsking({ dialog: 'reset', user }) },
                      {
                        label: t.common.delete,
                        danger: true,
                        disabled: user.id === me?.id,
                        onSelect: () => setAsking({ dialog: 'delete', user }),
                      },
                    ]}
                  />
                }
              >
                <span>
                  {user.is_active ? t.people.roles[user.is_admin ? 'admin' : 'person'] : t.people.inactive}
                </span>
                <span class="muted small">
                  {user.last_login ? t.people.lastLogin(ago(user.last_login)) : t.people.neverIn}
                </span>
              </ListItem>
            ))}
          </List>
        )}
      </QueryView>
      {asking?.dialog === 'new' && <NewUser onClose={close} />}
      {asking?.dialog === 'edit' && <EditUser id={asking.user.id} onClose={close} />}
      {asking?.dialog === 'reset' && <ResetPassword user={asking.user} onClose={close} />}
      {asking?.dialog === 'delete' && <DeleteUser user={asking.user} onClose={close} />}
    </Section>
  );
}

const noteOf = ({ email, must_change_password }: User): string =>
  [email, must_change_password && t.people.mustChange].filter(Boolean).join(' · ');

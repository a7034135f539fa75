import { useState } from 'preact/hooks';
import { outdate, type Schemas, useRead, write } from '../../../api/api.js';
import type { Grant } from '../../../hub/may.js';
import { dayOf } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { announce } from '../../../ui/announce.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copy.js';
import { DataList } from '../../../ui/data-list.js';
import { ConfirmButton, Dialog } from '../../../ui/dialog.js';
import { CheckField, SelectField, TextField } from '../../../ui/field.js';
import { Form, fieldsOf, useAction, useDraft } from '../../../ui/form.js';
import { Row, Section, Stack } from '../../../ui/layout.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { GrantsField, useGrantWords } from './grants.js';

type Token = Schemas['ApiTokenView'];

export function Tokens() {
  const query = useRead('/api/auth/tokens');
  const [isNew, setNew] = useState(false);
  const { inWords } = useGrantWords();
  return (
    <Section
      title={t.people.tokens}
      actions={<Button onClick={() => setNew(true)}>{t.people.addToken}</Button>}
    >
      <QueryView query={query}>
        {({ tokens }) => (
          <DataList
            label={t.people.tokens}
            rows={tokens}
            empty={<p class="muted">{t.people.noTokens}</p>}
            columns={(of) => [
              of.name(({ name }) => name),
              of.text('may', t.people.tokenMay, (token) => t.people.tokenRights[mayOf(token)]),
              of.text('grants', t.frame.place.repositories, ({ grants }) =>
                grants ? inWords(grants) : t.common.all,
              ),
              of.text('until', t.people.validFor, untilOf, {
                sort: ({ expires_at }) => expires_at,
                width: '12rem',
              }),
              of.time('at', t.people.lastUsed, ({ last_used_at }) => last_used_at, t.common.never),
            ]}
            actionsWidth="6.5rem"
            actions={(token) => <Delete token={token} />}
          />
        )}
      </QueryView>
      {isNew && <NewToken onClose={() => setNew(false)} />}
    </Section>
  );
}

const Delete = ({ token: { id, name } }: { token: Token }) => (
  <ConfirmButton
    look="plain"
    label={`${t.common.delete}: ${name}`}
    title={t.common.deleteTitle(name)}
    action={t.common.delete}
    danger
    onConfirm={async () => {
      await write('DELETE', '/api/auth/tokens/{id}', { path: { id } });
      announce(t.common.deleted(name));
      outdate('/api/auth/tokens');
    }}
  >
    <p>{t.people.deleteTokenMeans}</p>
  </ConfirmButton>
);

const mayOf = ({ summary_only, read_only }: Token) =>
  summary_only ? 'summary' : read_only ? 'read' : 'write';

const untilOf = ({ expires_at: until }: Token): string =>
  until
    ? (Date.parse(until) < Date.now() ? t.people.expired : t.people.expires)(dayOf(until))
    : t.people.noExpiry;

const spans = { '30': 30, '90': 90, '365': 365, none: null } as const;

function NewToken({ onClose }: { onClose: () => void }) {
  const [token, change] = useDraft({
    name: '',
    may: 'read' as keyof typeof t.people.tokenRights,
    isNarrowed: false,
    grants: [] as Grant[],
    expires_at: '365' as keyof typeof spans,
  });
  const [made, setMade] = useState<string | null>(null);
  const action = useAction();
  const field = fieldsOf(token, change, action.error);
  const days = spans[token.expires_at];
  const create = () =>
    action.run(async () => {
      const expires_at = days && new Date(Date.now() + days * 24 * 3_600_000).toISOString();
      const { isNarrowed, grants, may, name } = token;
      const body = { name, read_only: may !== 'write', summary_only: may === 'summary' };
      const { access_token } = await write('POST', '/api/auth/tokens', {
        body: { ...body, expires_at, ...(isNarrowed && { grants }) },
      });
      outdate('/api/auth/tokens');
      setMade(access_token);
    });
  if (made !== null)
    return (
      <Dialog title={t.people.newToken(token.name)} onClose={onClose}>
        <Stack>
          <Notice kind="warning" live>
            {t.people.shownOnce}
          </Notice>
          <Copyable text={made} label={t.audit.token} />
          <Row end>
            <Button look="primary" onClick={onClose}>
              {t.people.haveIt}
            </Button>
          </Row>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title={t.people.addToken} onClose={onClose}>
      <Form
        action={action}
        onSubmit={create}
        submit={t.people.addToken}
        onCancel={onClose}
        disabled={token.name.trim() === '' || (token.isNarrowed && token.grants.length === 0)}
      >
        <TextField
          label={t.people.tokenName}
          hint={t.people.tokenNameHint}
          required
          autoComplete="off"
          {...field.value('name')}
        />
        <SelectField
          label={t.people.tokenMay}
          hint={t.people.tokenMayHint}
          {...field.value('may')}
          options={(['write', 'read', 'summary'] as const).map(
            (key) => [key, t.people.tokenRights[key]] as const,
          )}
        />
        <CheckField label={t.people.narrowed} hint={t.people.narrowedHint} {...field.check('isNarrowed')} />
        {token.isNarrowed && <GrantsField {...field.value('grants')} />}
        <SelectField
          label={t.people.validFor}
          {...field.value('expires_at')}
          options={(['30', '90', '365', 'none'] as const).map((key) => [key, t.people.spans[key]] as const)}
        />
      </Form>
    </Dialog>
  );
}

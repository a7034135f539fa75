import { useState } from 'preact/hooks';
import { type Schemas, useRead, write } from '../../../api/api.js';
import { t } from '../../../i18n/messages.js';
import { messageIn, wordFor } from '../../../i18n/sentences.js';
import { Button } from '../../../ui/button.js';
import { errorAt, SecretField, SelectField, TextField } from '../../../ui/field.js';
import { Row, Stack } from '../../../ui/layout.js';
import { More } from '../../../ui/more.js';
import { ErrorNotice, Notice, Sentence } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { useAction } from '../../../ui/use-action.js';
import {
  buildUrl,
  fromWebAddress,
  readUrl,
  type Service,
  splitFields,
  takesWebAddress,
  type Values,
  webAddressOf,
} from './channel-url.js';

/** The values of a channel form. The caller keeps them, and saves `name` and `url`. */
export interface Channel {
  name: string;
  /** The service URL; empty until everything that is needed is filled in. */
  url: string;
  /** The id of the service, or `other` for a URL as text; nothing while it is not chosen. */
  service?: string;
  values?: Values;
}

export const noChannel: Channel = { name: '', url: '' };

interface ChannelFormProps {
  channel: Channel;
  onChannel: (channel: Channel) => void;
  /** Why it could not be saved: shown at the fields that are to blame. */
  error?: unknown;
  /** False: the caller sends the test. */
  withTest?: boolean;
}

/** The fields of a channel, with a test. It is part of a form, so it has no save button. */
export function ChannelForm({ channel, onChannel, error, withTest = true }: ChannelFormProps) {
  const query = useRead('/api/notifications/services');
  return (
    <QueryView query={query}>
      {(services) => {
        const { service, values } = recognised(channel, services);
        const known = services.find((each) => each.service === service);
        const choose = (next: string) => {
          const chosen = services.find((each) => each.service === next);
          const wasNamed = services.some(({ name }) => name === channel.name) || channel.name === '';
          onChannel({
            name: wasNamed ? (chosen?.name ?? '') : channel.name,
            service: next,
            values: {},
            url: '',
          });
        };
        return (
          <Stack>
            <SelectField
              label={t.channels.service}
              value={service ?? ''}
              onValue={choose}
              options={[
                ...(service ? [] : [['', t.channels.choose] as const]),
                ...services.map((each) => [each.service, each.name] as const),
                ['other', t.channels.other],
              ]}
            />
            {known && (
              <ServiceFields
                key={known.service}
                service={known}
                values={values}
                onValues={(next) =>
                  onChannel({
                    ...channel,
                    service: known.service,
                    values: next,
                    url: isComplete(known, next) ? buildUrl(known, next) : '',
                  })
                }
              />
            )}
            {service === 'other' && (
              <SecretField
                label={t.audit.address}
                hint={t.channels.addressHint}
                error={errorAt(error, 'service_url')}
                value={channel.url}
                onValue={(url) => onChannel({ ...channel, service, url: url.trim() })}
              />
            )}
            {service && (
              <>
                {known && errorAt(error, 'service_url') && (
                  <Notice kind="error">{errorAt(error, 'service_url')}</Notice>
                )}
                <TextField
                  label={t.common.name}
                  hint={t.channels.nameHint}
                  error={errorAt(error, 'name')}
                  required
                  value={channel.name}
                  onValue={(name) => onChannel({ ...channel, service, values, name })}
                />
                {withTest && <Test url={channel.url} />}
              </>
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}

/** A channel that was saved has its URL only: the first service that would build the same one. */
function recognised(channel: Channel, services: readonly Service[]): { service?: string; values: Values } {
  if (channel.service) return { service: channel.service, values: channel.values ?? {} };
  if (channel.url === '') return { values: {} };
  // A service that takes any address comes last.
  const anyLast = services.toSorted(
    (one, two) => Number(one.schemes.includes('*')) - Number(two.schemes.includes('*')),
  );
  for (const each of anyLast) {
    const values = readUrl(each, channel.url);
    if (values) return { service: each.service, values };
  }
  return { service: 'other', values: {} };
}

const isComplete = ({ fields }: Service, values: Values) =>
  fields.every(({ name, required }) => !required || values[name]?.trim());

interface ServiceFieldsProps {
  service: Service;
  values: Values;
  onValues: (values: Values) => void;
}

function ServiceFields({ service, values, onValues }: ServiceFieldsProps) {
  const { first, more } = splitFields(service);
  const field = (each: Service['fields'][number]) => (
    <ServiceField
      key={each.name}
      service={service.service}
      field={each}
      value={values[each.name] ?? ''}
      onValue={(value) => onValues({ ...values, [each.name]: value })}
    />
  );
  const isWeb = takesWebAddress(service);
  const others = (fields: Service['fields']) =>
    fields.filter(({ name }) => !isWeb || (name !== 'host' && name !== 'path'));
  const hasSchemes = service.schemes.length > 1 && !isWeb;
  return (
    <>
      {isWeb && (
        <TextField
          label={t.channels.web}
          required
          value={webAddressOf(service, values)}
          onValue={(web) => onValues({ ...values, ...fromWebAddress(service, web) })}
          placeholder="https://hooks.example.org/backup"
          inputMode="url"
          exact
        />
      )}
      {others(first).map(field)}
      {(more.length > 0 || hasSchemes) && (
        <More label={t.channels.more}>
          {hasSchemes && (
            <SelectField
              label={t.channels.scheme}
              value={values.scheme ?? service.schemes[0] ?? ''}
              onValue={(scheme) => onValues({ ...values, scheme })}
              options={service.schemes.map((scheme) => [scheme, `${scheme}://`] as const)}
            />
          )}
          {others(more).map(field)}
        </More>
      )}
    </>
  );
}

interface ServiceFieldProps {
  service: string;
  field: Service['fields'][number];
  value: string;
  onValue: (value: string) => void;
}

function ServiceField({ service, field, value, onValue }: ServiceFieldProps) {
  const { name, kind, required, help, example } = field;
  const label = t.channels.labelOf(field.label);
  const hint = wordFor('hint', `${service} ${name}`) ?? wordFor('hint', name) ?? (
    <span lang="en">{help}</span>
  );
  if (kind === 'boolean')
    return (
      <SelectField
        label={label}
        hint={hint}
        value={value}
        onValue={onValue}
        options={[
          ['', t.channels.usual],
          ['yes', t.common.yes],
          ['no', t.common.no],
        ]}
      />
    );
  const rest = { label, hint, required, value, onValue, autoComplete: 'off', placeholder: example };
  if (kind === 'secret') return <SecretField {...rest} placeholder="" />;
  return (
    <TextField
      {...rest}
      inputMode={kind === 'number' ? 'numeric' : kind === 'host' ? 'url' : undefined}
      exact
    />
  );
}

function Test({ url }: { url: string }) {
  const action = useAction();
  const [reply, setReply] = useState<(Schemas['NotificationsTestAnswer'] & { url: string }) | null>(null);
  const send = () =>
    action.run(async () => {
      setReply(null);
      const result = await write('POST', '/api/notifications/test', { body: { service_url: url } });
      setReply({ ...result, url });
    });
  return (
    <Stack tight>
      <Row>
        <Button busy={action.isBusy} disabled={url === ''} onClick={() => void send()}>
          {t.channels.test}
        </Button>
        <span class="muted small">{url === '' ? t.channels.fillIn : t.channels.testHint}</span>
      </Row>
      {action.error ? <ErrorNotice error={action.error} /> : null}
      {reply && reply.url === url && (
        <Notice
          kind={reply.success ? 'good' : 'warning'}
          live
          title={reply.success ? t.channels.sent : t.channels.notSent}
        >
          {reply.success ? null : <Sentence {...messageIn(reply)} />}
        </Notice>
      )}
    </Stack>
  );
}

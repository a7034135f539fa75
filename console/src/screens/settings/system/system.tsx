import { useQuery } from '@tanstack/preact-query';
import { read, type Schemas } from '../../../api/api.js';
import { base } from '../../../base.js';
import { useIsAdmin } from '../../../hub/is-admin.js';
import { t } from '../../../i18n/messages.js';
import { DataList } from '../../../ui/data-list.js';
import { Degraded } from '../../../ui/degraded.js';
import { Facts, Section, Stack } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import type { StateName } from '../../../ui/state.js';
import { SettingsPage } from '../settings-page.js';
import { Cache } from './cache.js';

export default function System() {
  const isAdmin = useIsAdmin();
  return (
    <SettingsPage page="system">
      <Health />
      <Versions />
      <Cache canChange={isAdmin} />
      {isAdmin && <Plugins />}
      <Section title={t.system.documents}>
        <List label={t.system.documents}>
          <ListItem
            title={
              <a href={`${base}/api/docs`} target="_blank" rel="noreferrer">
                {t.system.api}
              </a>
            }
            note={t.system.apiFor}
          />
          <ListItem
            title={
              <a href={`${base}/licences.txt`} target="_blank" rel="noreferrer">
                {t.system.licence}
              </a>
            }
            note={t.system.licenceFor}
          />
        </List>
      </Section>
    </SettingsPage>
  );
}

/** Each part that does not work is one sentence of the server. */
function Health() {
  const query = useQuery({ ...read('/health'), staleTime: 0 });
  return (
    <Section title={t.system.health}>
      <QueryView query={query} lines={1}>
        {({ ready, notices, ...health }) => (
          <Stack tight>
            {!ready && <Notice kind="error">{t.system.notReady}</Notice>}
            <Degraded {...health} />
            {ready && health.degraded.length === 0 && <Notice kind="good">{t.system.allWell}</Notice>}
            {notices.length > 0 && (
              <More label={t.system.notices(notices.length)}>
                {notices.map((sentence) => (
                  <p key={sentence} lang="en">
                    {sentence}
                  </p>
                ))}
              </More>
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function Versions() {
  const query = useQuery(read('/api/system/info'));
  return (
    <Section title={t.system.versions} card>
      <QueryView query={query} lines={1}>
        {({ server_version, app_version, bk_version }) => (
          <Facts
            facts={[
              ['Holdfast', server_version],
              [t.system.api, app_version],
              [t.system.tool, bk_version ?? t.system.noTool],
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function Plugins() {
  const query = useQuery({ ...read('/api/plugins'), staleTime: 0 });
  return (
    <Section title={t.system.plugins}>
      <QueryView query={query}>
        {({ plugins }) => (
          <DataList
            label={t.system.plugins}
            rows={plugins}
            keyOf={({ name, id }) => `${name} ${id}`}
            columns={(of) => [
              of.name(({ id, name }) => id ?? name),
              of.state(stateOf),
              of.text('kind', t.activity.kind, ({ kind, from, name }) =>
                [kind && t.system.kinds[kind], from === 'built-in' ? t.system.builtIn : name]
                  .filter(Boolean)
                  .join(' · '),
              ),
              of.text('version', t.system.versions, ({ version }) => version, { width: '6rem' }),
            ]}
            below={({ kind, capabilities, problem }) =>
              (kind === 'notify' || problem) && (
                <>
                  {kind === 'notify' && capabilities.map((scheme) => `${scheme}://`).join(', ')}
                  {problem && <div lang="en">{problem}</div>}
                </>
              )
            }
          />
        )}
      </QueryView>
    </Section>
  );
}

function stateOf({ chosen, healthy }: Schemas['PluginView']): { state: StateName; word: string } {
  if (!chosen) return { state: 'off', word: t.system.notUsed };
  return healthy === false
    ? { state: 'late', word: t.system.notWell }
    : { state: 'protected', word: t.system.works };
}

import { useQuery } from '@tanstack/preact-query';
import { read } from '../../../api/api.js';
import type { Schemas } from '../../../api/client.js';
import { base } from '../../../base.js';
import { user as signedIn } from '../../../hub/link.js';
import { t } from '../../../i18n/messages.js';
import { Page } from '../../../shell/page.js';
import { useStore } from '../../../store.js';
import { Degraded } from '../../../ui/degraded.js';
import { Facts, Section, Stack } from '../../../ui/layout.js';
import { List, ListItem } from '../../../ui/list.js';
import { More } from '../../../ui/more.js';
import { Notice } from '../../../ui/notice.js';
import { QueryView } from '../../../ui/query-view.js';
import { State } from '../../../ui/state.js';
import { Cache } from './cache.js';

export default function System() {
  const isAdmin = useStore(signedIn)?.is_admin ?? false;
  return (
    <Page title={t.settings.pages.system} up={[t.settings.title, '/settings']} lead={t.settings.for.system}>
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
    </Page>
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
          <List label={t.system.plugins}>
            {plugins.map((plugin) => (
              <Plugin key={`${plugin.name} ${plugin.id}`} plugin={plugin} />
            ))}
          </List>
        )}
      </QueryView>
    </Section>
  );
}

function Plugin({ plugin }: { plugin: Schemas['PluginView'] }) {
  const { name, id, version, kind, from, chosen, healthy, problem, capabilities } = plugin;
  const urls = kind === 'notify' ? [capabilities.map((scheme) => `${scheme}://`).join(', ')] : [];
  return (
    <ListItem
      title={id ?? name}
      note={
        <>
          {[kind && t.system.kinds[kind], version, from === 'built-in' ? t.system.builtIn : name, ...urls]
            .filter(Boolean)
            .join(' · ')}
          {problem && (
            <div lang="en">
              <bdi>{problem}</bdi>
            </div>
          )}
        </>
      }
    >
      {chosen ? (
        <State
          state={healthy === false ? 'late' : 'protected'}
          word={healthy === false ? t.system.notWell : t.system.works}
        />
      ) : (
        <State state="off" word={t.system.notUsed} />
      )}
    </ListItem>
  );
}

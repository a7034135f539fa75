import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type Schemas, useRead } from '../../api/api.js';
import { bytes } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { Button } from '../../ui/button.js';
import { CheckField } from '../../ui/field.js';
import { FoldersField } from '../../ui/folders-field.js';
import { HostField, useHosts } from '../../ui/host-field.js';
import { Row } from '../../ui/layout.js';
import { More } from '../../ui/more.js';
import { Notice } from '../../ui/notice.js';
import { SourcesField } from '../../ui/sources-field.js';
import { type ExcludePreset, excludes as excludesOf, lostDatabases } from './draft.rules.js';
import { Findings, isHopeless, usePreflight } from './preflight.js';
import { Step } from './step.js';
import {
  changeDraft,
  chooseDatabases,
  draft as draftStore,
  hasActed,
  noteAct,
  secrets as secretStore,
} from './wizard.js';

const usual = ['/home', '/etc', '/srv', '/root', '/opt'];

/** Which folders, of which machine. */
export function What() {
  const draft = useStore(draftStore);
  const { sources, sourceConnection, excludes } = draft;
  const secrets = useStore(secretStore);
  const { databases } = secrets;
  const lost = lostDatabases(draft, secrets);
  const isAsked = useStore(hasActed);
  const [isMissing, setMissing] = useState(false);
  const preflight = usePreflight(draft, { path: null, isAsked });
  const isStopped = isHopeless(preflight.data, sources);
  const choose = (next: string[]) => {
    changeDraft({ sources: next });
    noteAct();
    setMissing(false);
  };
  return (
    <Step
      step="what"
      title={t.add.whatTitle}
      lead={t.add.whatLead}
      onNext={() => {
        const isEmpty = sources.length + databases.length === 0;
        setMissing(isEmpty);
        if (isEmpty || isStopped) return false;
        chooseDatabases(databases);
        return true;
      }}
    >
      <Machine
        value={sourceConnection}
        onValue={(connection) => {
          changeDraft({ sourceConnection: connection, sources: [] });
          chooseDatabases([]);
          setMissing(false);
        }}
      />
      <FoldersField
        legend={t.add.folders}
        value={sources}
        connectionId={sourceConnection}
        error={isMissing ? t.add.chooseFolder : undefined}
        onValue={choose}
      />
      {sourceConnection === null && <Usual chosen={sources} onPick={(path) => choose([...sources, path])} />}
      {sources.length > 0 && !isAsked && (
        <Row>
          <Button onClick={noteAct}>{t.add.lookAtThem}</Button>
        </Row>
      )}
      <Findings query={preflight} about="sources" />
      {lost.length > 0 && <Notice kind="warning">{t.add.databasesLost(lost.join(', '))}</Notice>}
      <SourcesField
        value={databases}
        connectionId={sourceConnection}
        folders={sources}
        onValue={(next) => {
          chooseDatabases(next, lost);
          setMissing(false);
        }}
      />
      <More label={t.add.leaveOut(excludes.length)}>
        {(Object.keys(excludesOf) as ExcludePreset[]).map((preset) => (
          <CheckField
            key={preset}
            label={t.sources.presets[preset]}
            hint={hintOf(preset, preflight.data)}
            checked={excludes.includes(preset)}
            onChecked={(isOn) =>
              changeDraft({
                excludes: isOn ? [...excludes, preset] : excludes.filter((other) => other !== preset),
              })
            }
          />
        ))}
        <p class="muted small">{t.add.moreLater}</p>
      </More>
    </Step>
  );
}

/** Its patterns, and what they would save. */
function hintOf(preset: ExcludePreset, found: Schemas['PreflightResult'] | undefined) {
  const size = found?.presets.find(({ id }) => id === preset)?.bytes;
  return (
    <>
      <bdi translate={false}>{excludesOf[preset].join(', ') || 'CACHEDIR.TAG'}</bdi>
      {size !== undefined && `: ${bytes(size)}`}
    </>
  );
}

/** Common folders that exist on this server, without the chosen ones. */
function Usual({ chosen, onPick }: { chosen: readonly string[]; onPick: (path: string) => void }) {
  const root = useRead('/api/filesystem/browse', { query: { path: '/' } } as never).data;
  const there = usual.filter(
    (path) =>
      !chosen.includes(path) &&
      root?.items.some((item) => item.path === path && item.is_directory && item.readable),
  );
  if (there.length === 0) return null;
  return (
    <Row>
      <span class="muted small">{t.add.often}</span>
      {there.map((path) => (
        <Button key={path} onClick={() => onPick(path)} aria-label={t.add.protectThis(path)}>
          <bdi>{path}</bdi>
        </Button>
      ))}
    </Row>
  );
}

interface MachineProps {
  value: number | null;
  onValue: (connection: number | null) => void;
}

/** This machine, or one that is reached by SSH. */
export function Machine({ value, onValue }: MachineProps) {
  if (useHosts().length === 0)
    return (
      <p class="small">
        {t.add.thisMachineOnly} <Link href="/settings/hosts">{t.add.addHost}</Link>
      </p>
    );
  return <HostField label={t.add.machine} here={t.add.thisMachine} value={value} onValue={onValue} />;
}

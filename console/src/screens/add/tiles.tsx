import { useQuery } from '@tanstack/preact-query';
import { CircleCheck, type LucideIcon, TriangleAlert } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { read } from '../../api/api.js';
import { bytes, list, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { useStore } from '../../store.js';
import { RadioGroup } from '../../ui/field.js';
import { hostName, useHosts } from '../../ui/host-field.js';
import { Card } from '../../ui/layout.js';
import { Meter } from '../../ui/progress.js';
import styles from './add.module.css';
import { usePreflight } from './preflight.js';
import { diskOf, folderOn, type Repository, type Tile, tilesOf } from './tiles.rules.js';
import { changeDraft, draft as draftStore, hasActed } from './wizard.js';

interface TilesProps {
  /** The chosen folder. */
  place: string;
  repositories: readonly Repository[];
}

/** The disks and hosts that backups can go to, with what speaks for and against each. */
export function Tiles({ place, repositories }: TilesProps) {
  const draft = useStore(draftStore);
  const { connection } = draft;
  const query = useQuery({ ...read('/api/filesystem/disks'), staleTime: 60_000 });
  const disks = query.data?.disks ?? [];
  const isAsked = useStore(hasActed);
  const need = usePreflight(draft, { path: null, isAsked }).data?.bytes ?? 0;
  const tiles = tilesOf(draft, { disks, hosts: useHosts(), need });
  const on = diskOf(place, disks);
  const value = tiles.findIndex(({ disk, host }) =>
    connection === null ? disk && disk === on : host?.id === connection,
  );
  const choose = ({ disk, host }: Tile) =>
    changeDraft({
      connection: host?.id ?? null,
      place: disk ? folderOn(disk, { disks, repositories }) : '',
    });
  if (query.isPending) return <p role="status">{t.common.loading}</p>;
  return (
    <>
      {tiles.length > 0 && (
        <RadioGroup
          legend={t.add.whereTitle}
          quiet
          class={styles.tiles}
          value={String(value)}
          onValue={(at) => choose(tiles[Number(at)] as Tile)}
          options={tiles.map((tile, at) => ({
            value: String(at),
            label: <Name {...tile} />,
            hint: <Facts tile={tile} need={need} />,
          }))}
        />
      )}
      <Card>
        <p>{t.add.addHost}</p>
        <p class={`${styles.links} small`}>
          {Object.entries(t.hosts.recipes).map(([recipe, { name }]) => (
            <Link key={recipe} href={`/settings/hosts/new?recipe=${recipe}`}>
              {name}
            </Link>
          ))}
        </p>
      </Card>
    </>
  );
}

function Name({ disk, host }: Tile) {
  const name = host ? hostName(host) : disk?.mount;
  const kind = disk?.network ? 'network' : disk?.removable ? 'removable' : 'disk';
  return (
    <>
      <bdi title={name}>{name}</bdi>
      <span class="muted small">{host ? t.add.machine : t.add.kinds[kind]}</span>
    </>
  );
}

function Facts({ tile: { host, free, total, shared, isSmall, isBest }, need }: { tile: Tile; need: number }) {
  const used = free !== null && total ? 100 - (free / total) * 100 : 0;
  const warnings = [
    shared[0] && t.add.shared(host !== null, list(shared.slice(0, 3))),
    isSmall && t.add.small(bytes(need)),
    host && host.status !== 'connected' && t.hosts.states[host.status],
  ];
  return (
    <div class={styles.tight}>
      {free !== null && total !== null ? (
        <>
          <Meter percent={used} label={t.hosts.used(number(Math.round(used)))} full={used > 90} />
          <span>{t.hosts.free(bytes(free), bytes(total))}</span>
        </>
      ) : (
        `${t.hosts.storage}: ${t.common.unknown}`
      )}
      {isBest && <Remark Icon={CircleCheck} look={styles.good} text={t.add.best} />}
      {warnings.map(
        (text) => text && <Remark key={text} Icon={TriangleAlert} look={styles.bad} text={text} />,
      )}
    </div>
  );
}

const Remark = ({ Icon, look, text }: { Icon: LucideIcon; look: string | undefined; text: string }) => (
  <span class={`${styles.line} ${look}`}>
    <Icon aria-hidden="true" size={16} />
    <span>{text}</span>
  </span>
);

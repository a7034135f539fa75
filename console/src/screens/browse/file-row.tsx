// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus, and has an index for it.
import { Download, File, FileQuestion, FileSymlink, Folder, TriangleAlert } from 'lucide-preact';
import { Component, type ComponentChildren } from 'preact';
import { bytes, moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { IconButton } from '../../ui/button.js';
import list from '../../ui/data-list.module.css';
import styles from './browse.module.css';
import { sizeOf } from './columns.js';
import type { Entry } from './folder.js';
import { parentOf } from './paths.rules.js';

const icons = { directory: Folder, file: File, symlink: FileSymlink, other: FileQuestion };

export interface RowProps {
  index: number;
  measure: (element: HTMLElement | null) => void;
  entry: Entry | undefined;
  isFocusable: boolean;
  isSelected: boolean;
  /** A folder above it is chosen. */
  isCovered: boolean;
  /** Shows the folder of each search result. */
  withFolder?: boolean;
  /** The size that fills a bar; undefined: no bars. */
  largest?: number;
  onFocus: (index: number) => void;
  onToggle: (entry: Entry) => void;
  onOpen: (entry: Entry) => void;
  onDownload: (entry: Entry) => void;
}

/** Redrawn only if changed, for smooth scrolling, so its callbacks must be stable. */
export class FileRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps) {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render() {
    const { index, measure, entry, isFocusable, isSelected, isCovered, largest, ...rest } = this.props;
    const shared = {
      ref: measure,
      class: `${list.item} ${list.row} ${styles.entry}`,
      'data-index': index,
      'aria-rowindex': index + 2,
      tabIndex: isFocusable ? 0 : -1,
      onFocus: () => rest.onFocus(index),
    };
    if (!entry)
      return (
        <div {...shared} role="row">
          <Cell look={list.first}>…</Cell>
        </div>
      );
    const { name, mtime } = entry;
    const size = sizeOf(entry);
    return (
      <div {...shared} role="row" aria-selected={isSelected || isCovered}>
        <Cell look={`${list.first} ${styles.name}`}>
          <label class={styles.check}>
            <input
              type="checkbox"
              tabIndex={-1}
              checked={isSelected || isCovered}
              disabled={isCovered}
              onChange={() => rest.onToggle(entry)}
            />
            <span class="visually-hidden">{t.browse.select(name)}</span>
          </label>
          <Name entry={entry} withFolder={rest.withFolder} onOpen={rest.onOpen} />
        </Cell>
        <Cell look={`${list.figure} ${styles.size}`}>
          {size !== null && bytes(size)}
          {size && largest ? (
            <span class={styles.share} style={{ '--share': size / largest }} aria-hidden="true" />
          ) : null}
        </Cell>
        <Cell look={list.figure}>{mtime && moment(mtime)}</Cell>
        <Cell look={list.actions}>
          <IconButton label={t.browse.downloadOf(name)} tabIndex={-1} onClick={() => rest.onDownload(entry)}>
            <Download aria-hidden="true" size={20} />
          </IconButton>
        </Cell>
      </div>
    );
  }
}

const Cell = ({ look, children }: { look: string | undefined; children: ComponentChildren }) => (
  <div role="gridcell" class={look}>
    {children}
  </div>
);

type NameProps = Pick<RowProps, 'withFolder' | 'onOpen'> & { entry: Entry };

function Name({ entry, withFolder, onOpen }: NameProps) {
  const { type, healthy } = entry;
  const Icon = healthy ? icons[type] : TriangleAlert;
  return (
    <button type="button" tabIndex={-1} class={styles.open} onClick={() => onOpen(entry)}>
      <Icon aria-hidden="true" size={20} class={healthy ? styles.icon : styles.damaged} />
      <span>
        <bdi>{entry.name}</bdi>
        <span class={styles.note}>
          <span class="visually-hidden"> {t.browse.types[type]}</span>
          {type === 'symlink' && <bdi> {t.browse.leadsTo(entry.symlink_target ?? '')}</bdi>}
          {!healthy && <strong class={styles.damaged}> {t.browse.damaged}</strong>}
          {entry.name_escaped && <> {t.browse.escaped}</>}
          {withFolder && <bdi class={styles.where}>{parentOf(entry.path)}</bdi>}
        </span>
      </span>
    </button>
  );
}

import { Download, File, FileQuestion, FileSymlink, Folder, TriangleAlert } from 'lucide-preact';
import { Component, type ComponentChildren } from 'preact';
import { bytes, moment } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { IconButton } from '../../ui/button.js';
import styles from './browse.module.css';
import type { Entry } from './folder.js';
import { parentOf } from './paths.rules.js';

const icons = { directory: Folder, file: File, symlink: FileSymlink, other: FileQuestion };

interface RowProps {
  index: number;
  measure: (element: HTMLElement | null) => void;
  entry: Entry | undefined;
  isFocusable: boolean;
  isSelected: boolean;
  /** A folder above it is chosen. */
  isCovered: boolean;
  withFolder: boolean;
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
    return <Row {...this.props} />;
  }
}

function Row({ index, measure, entry, isFocusable, isSelected, isCovered, ...rest }: RowProps) {
  const shared = { ref: measure, 'data-index': index, 'aria-rowindex': index + 1, class: styles.row };
  if (!entry)
    return (
      <div {...shared} role="row" tabIndex={isFocusable ? 0 : -1} onFocus={() => rest.onFocus(index)}>
        <Cell look={styles.name}>…</Cell>
      </div>
    );
  const Icon = entry.healthy ? icons[entry.type] : TriangleAlert;
  return (
    <div
      {...shared}
      role="row"
      tabIndex={isFocusable ? 0 : -1}
      aria-selected={isSelected || isCovered}
      onFocus={() => rest.onFocus(index)}
    >
      <Cell look={styles.check}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected || isCovered}
            disabled={isCovered}
            onChange={() => rest.onToggle(entry)}
          />
          <span class="visually-hidden">{t.browse.select(entry.name)}</span>
        </label>
      </Cell>
      <Cell look={styles.name}>
        <button type="button" tabIndex={-1} class={styles.open} onClick={() => rest.onOpen(entry)}>
          <Icon aria-hidden="true" size={20} class={entry.healthy ? styles.icon : styles.damaged} />
          <span>
            <bdi>{entry.name}</bdi>
            <Notes entry={entry} withFolder={rest.withFolder} />
          </span>
        </button>
      </Cell>
      <Cell look={styles.fetch}>
        <IconButton
          label={t.browse.downloadOf(entry.name)}
          tabIndex={-1}
          onClick={() => rest.onDownload(entry)}
        >
          <Download aria-hidden="true" size={20} />
        </IconButton>
      </Cell>
    </div>
  );
}

const Cell = ({ look, children }: { look: string | undefined; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus.
  <div role="gridcell" class={look}>
    {children}
  </div>
);

function Notes({ entry, withFolder }: { entry: Entry; withFolder: boolean }) {
  const { type, size, mtime, path } = entry;
  const facts = [
    type === 'symlink' ? t.browse.leadsTo(entry.symlink_target ?? '') : bytes(size),
    mtime && moment(mtime),
  ].filter(Boolean);
  return (
    <span class={styles.note}>
      <span class="visually-hidden">{t.browse.types[type]}, </span>
      <bdi>{facts.join(' · ')}</bdi>
      {!entry.healthy && <strong class={styles.damaged}> · {t.browse.damaged}</strong>}
      {entry.name_escaped && <> · {t.browse.escaped}</>}
      {withFolder && <bdi class={styles.where}>{parentOf(path)}</bdi>}
    </span>
  );
}

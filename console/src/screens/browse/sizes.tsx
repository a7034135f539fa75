import { useState } from 'preact/hooks';
import { bytes, number, percent } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { goByArrows } from '../../ui/arrows.js';
import { type Box, treemapOf } from '../../ui/treemap.rules.js';
import { useWidth } from '../../ui/use-width.js';
import { Figure } from '../repositories/plots/figure.js';
import { sizeOf } from './columns.js';
import type { Entry } from './folder.js';
import styles from './sizes.module.css';

interface SizesProps {
  /** Of the folder, as far as they are read. */
  entries: readonly Entry[];
  total: number;
  onOpen: (entry: Entry) => void;
}

/** What takes the space in a folder, as boxes that open. */
export function Sizes({ entries, total, onOpen }: SizesProps) {
  const { title, share, finding, nothing, ofPart } = t.browse.sizes;
  const sized = entries
    .map((entry) => ({ entry, size: sizeOf(entry) ?? 0 }))
    .sort((one, next) => next.size - one.size);
  const sum = sized.reduce((all, { size }) => all + size, 0);
  const shareOf = (size: number) => percent((100 * size) / (sum || 1));
  const first = sized[0];
  if (!first) return null;
  const words = sum > 0 ? finding(bytes(sum), first.entry.name, shareOf(first.size)) : nothing;
  return (
    <Figure
      title={title}
      heading="h2"
      finding={entries.length < total ? `${words} ${ofPart(number(entries.length), number(total))}` : words}
      legend={[]}
      heads={[t.common.name, t.browse.size, share]}
      rows={sized.map(({ entry, size }) => [entry.name, bytes(size), shareOf(size)])}
    >
      {sum > 0 && <Boxes sized={sized} shareOf={shareOf} onOpen={onOpen} />}
    </Figure>
  );
}

interface BoxesProps extends Pick<SizesProps, 'onOpen'> {
  sized: readonly { entry: Entry; size: number }[];
  shareOf: (size: number) => string;
}

/** A finger and a name need as much. */
const smallest = { width: 72, height: 46 };
const gap = 2;

const at = ({ x, y, width, height }: Box) => ({
  insetInlineStart: x,
  insetBlockStart: y,
  inlineSize: Math.max(0, width - gap),
  blockSize: Math.max(0, height - gap),
});

/** One stop of the Tab key: arrows lead from the largest box to smaller ones. */
function Boxes({ sized, shareOf, onOpen }: BoxesProps) {
  const [place, width] = useWidth();
  const [stop, setStop] = useState<string>();
  const height = width < 600 ? 200 : 144;
  const { cells, rest } = treemapOf(sized, { width, height, smallest });
  const paths = cells.map(({ entry }) => entry.entry.path);
  const focusable = stop !== undefined && paths.includes(stop) ? stop : paths[0];
  return (
    <div
      ref={place}
      class={styles.map}
      style={{ blockSize: height }}
      role="group"
      aria-label={t.browse.sizes.title}
      onKeyDown={(event) => goByArrows(event, paths, focusable, 1)}
    >
      {width > 0 &&
        cells.map(({ entry: { entry, size }, box }) => (
          <button
            key={entry.path}
            type="button"
            data-key={entry.path}
            class={`${styles.cell} ${entry.type === 'directory' ? styles.folder : styles.file}`}
            style={at(box)}
            title={entry.name}
            tabIndex={entry.path === focusable ? 0 : -1}
            onFocus={() => setStop(entry.path)}
            onClick={() => onOpen(entry)}
          >
            <bdi>{entry.name}</bdi>
            <span class={styles.size}>
              {bytes(size)}
              <span class="visually-hidden">{`(${t.browse.types[entry.type]}, ${shareOf(size)})`}</span>
            </span>
          </button>
        ))}
      {width > 0 && rest && (
        <span class={`${styles.cell} ${styles.others}`} style={at(rest.box)}>
          <span>{t.browse.sizes.others(rest.count, number(rest.count))}</span>
          <span class={styles.size}>{bytes(rest.size)}</span>
        </span>
      )}
    </div>
  );
}

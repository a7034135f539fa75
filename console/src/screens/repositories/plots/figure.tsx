import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../i18n/messages.js';
import { Button } from '../../../ui/button.js';
import { DataList } from '../../../ui/data-list.js';
import styles from './plots.module.css';

type Swatch = 'area' | 'dashed' | 'bars' | 'outlined' | 'mark' | 'dottedMark';

interface FigureProps {
  title: string;
  /** The conclusion of the chart in words. */
  finding: string;
  /** A mark of a chart, or another one. */
  legend: readonly (readonly [Swatch | JSX.Element, string])[];
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  children: ComponentChildren;
  heading?: 'h2' | 'h3';
}

/** A chart with its conclusion, a legend, and its data as a table. */
export function Figure({
  title,
  finding,
  legend,
  heads,
  rows,
  children,
  heading: Heading = 'h3',
}: FigureProps) {
  const [isTable, setTable] = useState(false);
  return (
    <figure class={styles.figure}>
      <figcaption>
        <div class={styles.head}>
          <Heading>{title}</Heading>
          <Button
            look="quiet"
            aria-label={`${t.common.asTable}: ${title}`}
            aria-expanded={isTable}
            onClick={() => setTable(!isTable)}
          >
            {t.common.asTable}
          </Button>
        </div>
        <p>{finding}</p>
      </figcaption>
      {/* One sample is no picture. */}
      {rows.length > 1 && (
        <>
          <ul class={styles.legend} aria-hidden="true">
            {legend.map(([swatch, text]) => (
              <li key={text}>
                {typeof swatch === 'string' ? <i class={styles[swatch]} /> : swatch}
                {text}
              </li>
            ))}
          </ul>
          {children}
        </>
      )}
      {isTable && (
        <DataList
          label={title}
          rows={rows}
          isPart
          keyOf={(row) => rows.indexOf(row)}
          columns={(of) => heads.map((head, at) => of.text(head, head, (row) => row[at], { named: at > 0 }))}
        />
      )}
    </figure>
  );
}

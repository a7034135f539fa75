import styles from './table.module.css';

interface TableProps {
  caption: string;
  heads: readonly string[];
  /** Text of each cell; the first names its row. */
  rows: readonly (readonly string[])[];
}

/** The figures of a picture. Scrolls within itself. */
export const Table = ({ caption, heads, rows }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys.
  <div class={styles.scroll} tabIndex={0} role="region" aria-label={caption}>
    <table class={styles.table}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...cells], row) => (
          <tr key={row}>
            <th scope="row">{first}</th>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { DataList } from '../../../ui/data-list.js';
import { More } from '../../../ui/more.js';
import { reasonOf } from '../../../ui/sentence.js';

type Line = Schemas['BorgmaticImported']['lines'][number];

const results = ['left_out', 'changed', 'taken'] as const;

/** Each option of the files in three groups, problems first. */
export const OptionLines = ({ lines }: { lines: readonly Line[] }) => (
  <More label={t.exchange.options} open={lines.some(({ accept_as }) => accept_as !== null)}>
    {results.map((result) => {
      const heap = lines.filter((line) => line.result === result);
      return (
        heap.length > 0 && (
          <More
            key={result}
            label={`${t.exchange.results[result]} (${heap.length})`}
            open={result !== 'taken'}
          >
            <DataList
              label={t.exchange.results[result]}
              name={result}
              rows={heap}
              keyOf={({ file, line, key }) => `${file} ${line} ${key}`}
              columns={(of) => [
                of.name(({ key }) => key),
                of.text('line', t.activity.files, ({ file, line }) => `${file.replace(/^.*\//, '')}:${line}`),
              ]}
              below={reasonOf}
            />
          </More>
        )
      );
    })}
  </More>
);

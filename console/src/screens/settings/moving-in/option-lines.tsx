import type { Schemas } from '../../../api/client.js';
import { t } from '../../../i18n/messages.js';
import { List, ListItem } from '../../../ui/list.js';
import { More } from '../../../ui/more.js';
import { Sentence } from '../../../ui/sentence.js';

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
            <List label={t.exchange.results[result]}>
              {heap.map(({ file, line, key, reason, reason_code, reason_params }) => (
                <ListItem
                  key={`${file} ${line} ${key}`}
                  title={<code>{key}</code>}
                  note={reason && <Sentence code={reason_code} params={reason_params} text={reason} />}
                >
                  <bdi>{`${file.replace(/^.*\//, '')}:${line}`}</bdi>
                </ListItem>
              ))}
            </List>
          </More>
        )
      );
    })}
  </More>
);

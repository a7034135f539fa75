import { useLocation } from 'wouter-preact';
import { number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { ButtonLink } from '../../ui/button.js';
import { Empty, Row } from '../../ui/layout.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import { FileGrid } from './file-grid.js';
import { type Place, useFound } from './folder.js';
import { type Chosen, useHandlers } from './folder-view.js';
import { browseAddress } from './paths.rules.js';

export function Found({ place, text, chosen }: { place: Place; text: string; chosen: Chosen }) {
  const [, navigate] = useLocation();
  const query = useFound(place, text);
  const handlers = useHandlers(place, chosen);
  const back = browseAddress(place.repositoryId, place.archive, place.path);
  const all = `/restore?${new URLSearchParams({ find: text, repository: String(place.repositoryId) })}`;
  return (
    <>
      <Row>
        <ButtonLink href={back}>{t.browse.backToFolder}</ButtonLink>
        <ButtonLink href={all}>{t.browse.searchAll}</ButtonLink>
      </Row>
      <QueryView query={query} lines={6}>
        {({ items, truncated }) =>
          items.length === 0 ? (
            <Empty>{t.browse.nothingFound(text)}</Empty>
          ) : (
            <>
              <h2>
                <span role="status">{t.browse.found(items.length, number(items.length), text)}</span>
              </h2>
              {truncated && <Notice>{t.browse.foundMore}</Notice>}
              <FileGrid
                label={t.browse.found(items.length, number(items.length), text)}
                total={items.length}
                entryAt={(index) => items[index]}
                selection={chosen.selection}
                onUp={() => navigate(back)}
                withFolder
                takesFocus={false}
                {...handlers}
              />
            </>
          )
        }
      </QueryView>
      {handlers.dialog}
    </>
  );
}

import { t } from '../i18n/messages.js';
import { Button } from './button.js';

export interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export const NextPage = ({ query, label = t.common.loadMore }: { query: Paged; label?: string }) =>
  query.hasNextPage && (
    <div>
      <Button wide busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );

import { t } from '../i18n/messages.js';
import { Button } from './button.js';

interface NextPageProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label?: string;
  wide?: boolean;
}

/** A button below a paged list while there are more pages. */
export const NextPage = ({ query, label = t.common.loadMore, wide = false }: NextPageProps) =>
  query.hasNextPage && (
    <div>
      <Button wide={wide} busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );

import { t } from '../i18n/messages.js';
import { Button } from './button.js';

interface NextPageProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label?: string;
  wide?: boolean;
}

/** What a list that comes in pages has below it, as long as there is more. */
export const NextPage = ({ query, label = t.common.loadMore, wide = false }: NextPageProps) =>
  query.hasNextPage && (
    <div>
      <Button wide={wide} busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );

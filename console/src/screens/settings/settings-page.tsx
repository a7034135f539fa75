import type { ComponentChildren, ComponentProps } from 'preact';
import { t } from '../../i18n/messages.js';
import { Page } from '../../shell/page.js';
import { ButtonLink } from '../../ui/button.js';
import { DataList, type ListProps } from '../../ui/data-list.js';
import { Empty } from '../../ui/layout.js';
import { type Query, QueryView } from '../../ui/query-view.js';

type PageName = keyof typeof t.settings.for;

interface PageProps extends Pick<ComponentProps<typeof Page>, 'actions' | 'narrow' | 'children'> {
  page: PageName;
}

export const SettingsPage = ({ page, ...rest }: PageProps) => (
  <Page
    title={t.frame.page[page]}
    up={[t.frame.place.settings, '/settings']}
    lead={t.settings.for[page]}
    {...rest}
  />
);

interface SettingsListProps<T, D> extends Pick<ListProps<T>, 'columns' | 'below'> {
  page: PageName;
  query: Query<D>;
  rowsOf: (data: D) => readonly T[];
  /** Its page is below it, like `new`. */
  address: string;
  add: string | false;
  empty: string;
  labelOf?: (row: T) => string;
  children?: ComponentChildren;
}

export function SettingsList<T extends { id: number }, D>(props: SettingsListProps<T, D>) {
  const { page, query, rowsOf, address, add, empty, labelOf, children, ...list } = props;
  const button = add && (
    <ButtonLink look="primary" href={`${address}/new`}>
      {add}
    </ButtonLink>
  );
  return (
    <SettingsPage page={page} actions={query.data && rowsOf(query.data).length > 0 && button}>
      <QueryView query={query}>
        {(data) => (
          <DataList
            label={t.frame.page[page]}
            rows={rowsOf(data)}
            linkOf={(row) => [`${address}/${row.id}`, labelOf?.(row)]}
            empty={<Empty action={button}>{empty}</Empty>}
            {...list}
          />
        )}
      </QueryView>
      {children}
    </SettingsPage>
  );
}

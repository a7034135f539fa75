export interface Line {
  line_number: number;
  content: string;
}

/** With the instants as the clock of this page shows them. */
export const inLocalTime = (content: string, timeZone?: string): string =>
  content.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z/, (at) => new Date(at).toLocaleString('sv', { timeZone }));

interface Page {
  lines: Line[];
  total_lines: number;
}

/** All lines of a log after a line, page by page: a page may have fewer lines than were written since. */
export async function* pagesAfter(
  line: number,
  get: (offset: number) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let last = line; ; ) {
    const page = await get(last);
    yield page;
    const end = page.lines.at(-1)?.line_number ?? page.total_lines;
    if (end <= last || end >= page.total_lines) return;
    last = end;
  }
}

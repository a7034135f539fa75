/**
 * Maps the first cell to the second for the rows of the table below a heading of a page. The last cell of each row
 * must give a reason.
 */
export function answersBelow(page, heading) {
  const section = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page)?.[1];
  if (section === undefined) throw new Error(`.github/DEPENDENCIES.md has no section "${heading}"`);
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  for (const [first, , reason] of rows) {
    if (!reason) throw new Error(`.github/DEPENDENCIES.md gives no reason for ${first}`);
  }
  return new Map(rows.map(([first, second]) => [first, second]));
}

/** What the search finds of a page: an entry for each heading, with the text below it. */
export function searchEntries({ tokens, title }, place, textOf) {
  const entries = [];
  for (const [index, { type, content, children, attrs }] of tokens.entries()) {
    if (type === 'heading_open') {
      const heading = textOf(tokens[index + 1]);
      const { id } = Object.fromEntries(attrs);
      const isTitle = entries.length === 0;
      entries.push({
        address: isTitle ? place : `${place}#${id}`,
        page: title,
        heading: isTitle ? '' : heading,
        text: '',
      });
    } else if (entries.length > 0) {
      const isHeading = tokens[index - 1]?.type === 'heading_open';
      const text =
        type === 'fence' || type === 'code_block'
          ? content
          : children && !isHeading
            ? textOf({ children })
            : '';
      if (text) entries.at(-1).text += `${text} `;
    }
  }
  return entries;
}

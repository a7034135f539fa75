import compression from 'compression';

/**
 * Compresses answers from 1 kB. Not downloads, whose files are mostly compressed already, and not event streams,
 * which must not wait for a full block.
 */
export const compressedAnswers = () =>
  compression({
    threshold: 1_000,
    filter: (req, res) => {
      if (res.hasHeader('Content-Disposition')) return false;
      if (/^text\/event-stream\b/.test(String(res.getHeader('Content-Type')))) return false;
      return compression.filter(req, res);
    },
  });

import { useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { answer, api } from '../../api/api.js';
import { bytes, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { Notice } from '../../ui/notice.js';
import { QueryView } from '../../ui/query-view.js';
import styles from './browse.module.css';
import type { Entry, Place } from './folder.js';
import * as rules from './preview.rules.js';

type Bytes = Uint8Array<ArrayBuffer>;
export type PreviewProps = Pick<Place, 'repositoryId' | 'archive'> & { entry: Entry };

/** A text or an image, by the contents of a file and not by its name. */
export default function Preview({ repositoryId, archive, entry }: PreviewProps) {
  const { path, size } = entry;
  const query = useQuery({
    queryKey: ['preview', repositoryId, archive, path],
    queryFn: async ({ signal }) => {
      const query = { repository_id: repositoryId, archive, file_path: path };
      const call = api.GET('/api/archives/download', { params: { query }, parseAs: 'stream', signal });
      return readStart((await answer(call)) as ReadableStream<Bytes>, size);
    },
    gcTime: 0,
  });
  return (
    <div class={styles.preview} aria-live="polite">
      <QueryView query={query}>{(start) => <Start entry={entry} start={start} />}</QueryView>
    </div>
  );
}

/** Reads as much as is shown. Then it leaves, which ends the tool on the server. */
async function readStart(stream: ReadableStream<Bytes>, size: number): Promise<Bytes> {
  const reader = stream.getReader();
  const room = new Uint8Array(Math.min(size, rules.mostImage));
  let [filled, most] = [0, room.length];
  try {
    while (filled < most) {
      const { done, value } = await reader.read();
      if (done) throw new TypeError();
      room.set(value.subarray(0, room.length - filled), filled);
      filled += value.length;
      if (filled >= rules.headSize) most = Math.min(room.length, rules.wanted(room, size));
    }
  } catch (reason) {
    // Each browser has its own words for a broken connection.
    throw reason instanceof TypeError ? new Error(t.browse.stopped) : reason;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  return room.subarray(0, most);
}

function Start({ entry: { name, size }, start }: { entry: Entry; start: Bytes }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const type = rules.imageIn(start);
  const text = type === null ? rules.textIn(start) : null;
  const pixels = type === null ? 0 : rules.pixelsOf(start, type);
  const [isBroken, setBroken] = useState(pixels === 0);
  useEffect(() => {
    if (canvas.current) draw(start, canvas.current).catch(() => setBroken(true));
  }, []);
  const isTooLarge = type !== null && (size > rules.mostImage || pixels > rules.mostPixels);
  return (
    <>
      {rules.isMisnamed(name, type) && <Notice kind="warning">{t.browse.misnamed}</Notice>}
      {text !== null && start.length < size && <p>{t.browse.firstPart(bytes(rules.mostText))}</p>}
      {text !== null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        <pre tabIndex={0} role="group" aria-label={t.browse.preview} dir="auto" translate={false}>
          {text}
        </pre>
      ) : isTooLarge ? (
        <p>{t.browse.tooLarge(bytes(rules.mostImage), number(rules.mostPixels / 1e6))}</p>
      ) : isBroken ? (
        <p>{type === null ? t.browse.noPreview : t.browse.broken}</p>
      ) : (
        <canvas ref={canvas} role="img" aria-label={name} />
      )}
    </>
  );
}

/** A canvas needs no address of the image, which the content security policy would have to allow. */
async function draw(start: Bytes, canvas: HTMLCanvasElement): Promise<void> {
  const bitmap = await createImageBitmap(new Blob([start]));
  const scale = Math.min(1, 2_000 / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, bitmap.width * scale);
  canvas.height = Math.max(1, bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
}

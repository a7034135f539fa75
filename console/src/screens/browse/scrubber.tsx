import { useQuery } from '@tanstack/preact-query';
import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { moment, number } from '../../i18n/format.js';
import { t } from '../../i18n/messages.js';
import { announce } from '../../ui/announce.js';
import { IconButton } from '../../ui/button.js';
import { useSettled } from '../../ui/use-settled.js';
import { archivesQuery } from '../archives/archives-query.js';
import styles from './browse.module.css';
import type { Place } from './folder.js';
import { forgetWay } from './folder-view.js';
import { browseAddress, stepsOf } from './paths.rules.js';

/** The same folder at another time. Reads an archive when the slider rests on it. */
export function Scrubber({ repositoryId, archive, path }: Place) {
  const [, navigate] = useLocation();
  const { data } = useQuery(archivesQuery(repositoryId));
  const [moved, setMoved] = useState<number | null>(null);
  const archives = data?.archives ?? [];
  const { min, max, at } = stepsOf(archives, archive);
  const shown = moved ?? at;
  const settled = useSettled(moved, 400);
  useEffect(() => {
    const name = settled !== null && settled === moved && archives[settled]?.name;
    if (!name) return;
    // Keeps the focus here, to go on.
    forgetWay();
    navigate(browseAddress(repositoryId, name, path), { replace: true });
  }, [settled]);
  useEffect(() => setMoved(null), [archive]);
  const wordsOf = (index: number) => {
    const start = archives[index]?.start;
    if (start === undefined) return archive;
    const position = t.common.foundOf(number(index + 1), number(archives.length));
    return `${t.common.asOf(moment(start))} · ${position}`;
  };
  const step = (by: number) => {
    setMoved(shown + by);
    announce(wordsOf(shown + by));
  };
  return (
    <div class={styles.scrubber}>
      <IconButton label={t.browse.older} disabled={shown <= min} onClick={() => step(-1)}>
        <ChevronLeft aria-hidden="true" size={20} />
      </IconButton>
      <div>
        <bdi>{wordsOf(shown)}</bdi>
        <input
          type="range"
          aria-label={t.browse.asOf}
          aria-valuetext={wordsOf(shown)}
          min={min}
          max={max}
          value={shown}
          disabled={min >= max}
          onInput={({ currentTarget }) => setMoved(currentTarget.valueAsNumber)}
        />
      </div>
      <IconButton label={t.browse.newer} disabled={shown >= max} onClick={() => step(1)}>
        <ChevronRight aria-hidden="true" size={20} />
      </IconButton>
    </div>
  );
}

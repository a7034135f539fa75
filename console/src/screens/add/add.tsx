import { useEffect, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { useStore } from '../../store.js';
import { firstOpen, type Step, steps } from './draft.rules.js';
import { ExistingRepository } from './existing.js';
import { Review } from './review.js';
import { Secret } from './secret.js';
import { Tell } from './tell.js';
import { What } from './what.js';
import { When } from './when.js';
import { Where } from './where.js';
import { draft, progress, secrets, takeUp } from './wizard.js';

const screens: Record<Step, () => preact.JSX.Element> = {
  what: What,
  where: Where,
  secret: Secret,
  when: When,
  tell: Tell,
  review: Review,
};

/** Protects a folder in five steps; nothing is made before the review at the end. */
export default function Add() {
  const search = new URLSearchParams(useSearch());
  if (search.has('existing')) return <ExistingRepository />;
  return <Wizard asked={(search.get('step') ?? 'what') as Step} />;
}

function Wizard({ asked }: { asked: Step }) {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    takeUp();
    setReady(true);
  }, []);
  const made = useStore(progress);
  const { isQuiet } = useStore(draft);
  const known = useStore(secrets);
  const open = firstOpen(draft.get(), known);
  if (!isReady) return null;
  const wanted = steps.includes(asked) ? asked : 'what';
  const reachable = steps.indexOf(wanted) > steps.indexOf(open) ? open : wanted;
  // Steps that are done cannot be changed; a reload may have lost the URL of the channel.
  const rest = isQuiet || made.hasChannel || known.channelUrl !== '' ? 'review' : 'tell';
  const step = made.repositoryId === undefined ? reachable : rest;
  const Current = screens[step];
  return <Current key={step} />;
}

import type { Schemas } from '../api/client.js';
import { Notice, Sentence } from './notice.js';

type Health = Pick<Schemas['SystemHealthAnswer'], 'degraded' | 'degraded_codes'>;

/** Problems of the service itself: one notice per part. */
export const Degraded = ({ degraded, degraded_codes: codes }: Health) => (
  <>
    {degraded.map((text, at) => (
      <Notice key={text} kind="warning">
        <Sentence code={codes[at]?.code ?? null} params={codes[at]?.params ?? {}} text={text} />
      </Notice>
    ))}
  </>
);

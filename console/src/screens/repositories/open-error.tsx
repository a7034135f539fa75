import { Sentence } from '../../ui/sentence.js';
import type { Repository } from './repository-page.js';

/** Why it does not open. */
export const OpenError = ({
  open_error: text,
  open_error_code: code,
  open_error_params: params,
}: Repository) => <Sentence {...{ code, params }} text={text ?? ''} />;

import { useSearch } from 'wouter-preact';
import { t } from '../../../i18n/messages.js';
import { Found } from './found.js';
import { Look } from './look.js';
import { MovingInPage } from './page.js';
import { TakeOver } from './take-over.js';

/** Repositories that exist: look, choose, do, and then take over. */
export default function MovingIn() {
  const discovery = Number(new URLSearchParams(useSearch()).get('look'));
  return (
    <MovingInPage lead={t.movingIn.lead}>
      <Look />
      {discovery > 0 && <Found key={discovery} id={discovery} />}
      <TakeOver />
    </MovingInPage>
  );
}

import './styles/tokens.css';
import './styles/base.css';
import { render } from 'preact';
import { App } from './app.js';
import { base } from './base.js';
import { joinHub } from './hub/link.js';
import { locale } from './i18n/locale.js';
import { loadFirst } from './i18n/messages.js';
import { loadSentences } from './i18n/sentences.js';
import { routes } from './routes.js';
import { prepare } from './shell/router.js';

/** No `await` outside: the words import this file, and would wait for it while it waits for them. */
async function start(): Promise<void> {
  document.documentElement.lang = locale();
  // Loads in parallel: the user, the messages, and the screen of this address.
  const joined = joinHub();
  prepare(routes, location.pathname.slice(base.length) || '/');
  await Promise.all([loadFirst(), loadSentences()]);
  const root = document.getElementById('app');
  if (root) render(<App joined={joined} />, root);
}

void start();

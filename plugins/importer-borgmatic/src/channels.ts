import { say } from '@holdfast/plugin-api';
import { loseAlert } from './hooks.js';
import { Config, inside, itemsOf } from './options.js';
import { type Option, textOf } from './tree.js';
import { quotedWord } from './words.js';

export interface Channel {
  option: Option;
  service: string;
  url: string;
  states: string[];
}

const part = encodeURIComponent;
const texts = say`borgmatic_message_texts: Holdfast writes its own message texts.`;
/** Those that borgmatic uses without `states`. */
const usual = ['fail'];

/** Services that messages are sent to. */
export function channelsOf(config: Config): Channel[] {
  return [...ntfy(config), ...pushover(config), ...apprise(config)];
}

function ntfy(config: Config): Channel[] {
  const option = config.get('ntfy');
  const inner = config.inner('ntfy');
  if (!option || !inner) return [];
  const topic = inner.text('topic');
  const server = inner.text('server') ?? 'https://ntfy.sh';
  const match = /^(https?):\/\/([^/]+)(\/.*)?$/.exec(server);
  const [, scheme = 'https', host = '', path = '/'] = match ?? [];
  if (topic === null || !match || path !== '/') {
    config.report.lose(
      option,
      say`borgmatic_channel_unfit: It has no address that messages can be sent to, or one with a folder in it.`,
      'alerts',
    );
    return [];
  }
  const [user, password, token] = ['username', 'password', 'access_token'].map((name) => inner.text(name));
  const login = !token && user && password ? `${part(user)}:${part(password)}@` : '';
  const query = token ? `?token=${part(token)}` : '';
  const url = `${scheme === 'https' ? 'ntfys' : 'ntfy'}://${login}${host}/${part(topic)}${query}`;
  takeParts(inner, ['topic', 'server', 'username', 'password', 'access_token', 'states']);
  return [taken(config, { option, service: 'ntfy', url, states: statesOf(inner) })];
}

function pushover(config: Config): Channel[] {
  const option = config.get('pushover');
  const inner = config.inner('pushover');
  const [token, user] = [inner?.text('token'), inner?.text('user')];
  if (!option || !inner || !token || !user) return [];
  takeParts(inner, ['token', 'user', 'states']);
  const url = `pover://${part(user)}@${part(token)}`;
  return [taken(config, { option, service: 'Pushover', url, states: statesOf(inner) })];
}

function apprise(config: Config): Channel[] {
  const option = config.get('apprise');
  const inner = config.inner('apprise');
  if (!option || !inner) return [];
  takeParts(inner, ['services', 'states']);
  const services = inner.get('services');
  const items = services ? itemsOf(services) : [];
  return items.flatMap((item, at) => {
    const service = new Config(item.value.kind === 'map' ? inside(item.value, item.key) : [], config.report);
    const url = service.text('url') ?? textOf(item.value);
    if (url === null) return [];
    takeParts(service, ['url', 'label']);
    const label = service.text('label') ?? `Apprise ${at + 1}`;
    return [taken(config, { option: item, service: label, url, states: statesOf(inner) })];
  });
}

const statesOf = (inner: Config): string[] => (inner.get('states') ? inner.texts('states') : usual);

function taken({ report }: Config, channel: Channel): Channel {
  report.take(channel.option);
  return channel;
}

function takeParts(inner: Config, names: readonly string[]): void {
  for (const option of inner.options)
    if (names.includes(option.name)) inner.report.take(option);
    else inner.report.leave(option, texts);
}

export interface Monitor {
  option: Option;
  service: string;
  url: string;
  script: string;
}

const fetching = 'curl -fsS -m 20 --retry 3 -o /dev/null';
const status = (before: string, success: string, failure: string, call: string) =>
  [
    'case "$BK_UI_HOOK_TYPE $BK_UI_BACKUP_STATUS" in',
    `  pre-backup*) when=start state=${before} ;;`,
    `  *failure) when=fail state=${failure} ;;`,
    `  *) when=finish state=${success} ;;`,
    'esac',
    `case " $STATES " in *" $when "*) ${call} ;; esac`,
    '',
  ].join('\n');

/** Monitors that are called after each run, and their scripts. */
const monitors: Record<string, { field: string; service: string; script: string }> = {
  healthchecks: {
    field: 'ping_url',
    service: 'Healthchecks',
    script: status('/start', '', '/fail', `${fetching} "\${PING_URL}$state"`),
  },
  uptime_kuma: {
    field: 'push_url',
    service: 'Uptime Kuma',
    script: status('up', 'up', 'down', `${fetching} "\${PING_URL%%\\?*}?status=$state"`),
  },
  cronitor: {
    field: 'ping_url',
    service: 'Cronitor',
    script: status('run', 'complete', 'fail', `${fetching} "\${PING_URL}?state=$state"`),
  },
  cronhub: {
    field: 'ping_url',
    service: 'Cronhub',
    script: status(
      'start',
      'finish',
      'fail',
      `${fetching} "$(echo "\${PING_URL}" | sed "s#/start/#/$state/#; s#/ping/#/$state/#")"`,
    ),
  },
};

const uuid = /\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$/;

/** As borgmatic calls them: in these states only, and without looking at certificates if the file says so. */
export function monitorsOf(config: Config): Monitor[] {
  return Object.entries(monitors).flatMap(([name, { field, service, script }]) => {
    const option = config.get(name);
    const inner = option?.value.kind === 'map' ? config.inner(name) : null;
    const given = inner ? inner.text(field) : textOf(option?.value);
    if (!option || given === null) return [];
    const used = [field, 'states', 'verify_tls', 'create_slug'];
    for (const each of inner?.options ?? [])
      if (used.includes(each.name)) config.report.take(each);
      else
        config.report.leave(
          each,
          say`borgmatic_monitor_detail: The script only reports start, success and failure.`,
        );
    loseAlert(config, option);
    const states = inner?.get('states') ? inner.texts('states') : ['start', 'finish', 'fail'];
    const trusting = inner?.flag('verify_tls') === false ? `${fetching} -k` : fetching;
    const create = inner?.flag('create_slug') && !uuid.test(given) ? '?create=1"' : '"';
    const text = script.replace(fetching, trusting).replace(/"(?= ;; esac)/, create);
    const url = /^http/.test(given) ? given : `https://hc-ping.com/${given}`;
    return [{ option, service, url, script: `STATES=${quotedWord(states.join(' '))}\n${text}` }];
  });
}

import type { PluginKind, PortOf } from '@holdfast/plugin-api';
import { driverOperations, requiredDriverOperations } from '../../foundation/ports/driver-operations.js';
import { problemOfService } from './notification-service.rules.js';
import type { PluginManifest } from './plugin-manifest.fs.js';
import { PluginError } from './plugin-step.js';

interface Shape {
  required: readonly string[];
  /** Methods that may be absent. */
  optional: readonly string[];
}

/** The required methods of `T`. */
type RequiredMethod<T> = {
  [K in keyof T]-?: undefined extends T[K] ? never : T[K] extends (...args: never[]) => unknown ? K : never;
}[keyof T] &
  string;

const named = <K extends Exclude<PluginKind, 'driver' | 'cache'>>(
  _kind: K,
  methods: Record<RequiredMethod<PortOf[K]>, true>,
) => Object.keys(methods);

const shapes: Record<PluginKind, Shape> = {
  storage: {
    required: named('storage', {
      find: true,
      insert: true,
      update: true,
      remove: true,
      aggregate: true,
      transaction: true,
      start: true,
      schemaVersion: true,
    }),
    optional: [],
  },
  jobs: {
    required: named('jobs', { set: true, clear: true, onDue: true, drain: true }),
    optional: [],
  },
  // Keyv adapters are event emitters too, but methods that are not used may be missing.
  cache: {
    required: ['get', 'set', 'delete', 'clear'],
    optional: ['deleteMany', 'iterator', 'keysWith', 'usage', 'setIfAbsent'],
  },
  notify: { required: named('notify', { send: true }), optional: ['check'] },
  importer: { required: named('importer', { read: true }), optional: ['write'] },
  source: {
    required: named('source', { check: true, prepare: true, release: true }),
    optional: ['claims', 'find', 'restore', 'prove'],
  },
  'sign-in': { required: named('sign-in', { begin: true, finish: true }), optional: ['end'] },
  states: { required: named('states', { publish: true }), optional: [] },
  driver: { required: requiredDriverOperations, optional: driverOperations },
};

const lifeCycle = ['start', 'stop', 'health'];
/** Texts that must not be empty. */
const texts: Partial<Record<PluginKind, readonly string[]>> = { 'sign-in': ['label', 'issuer'] };

/** Throws PluginError `incomplete_port`, which names each method that is missing or not a function. */
export function checkPortShape(manifest: PluginManifest, instance: unknown): void {
  const { package: name, kind } = manifest;
  const fail = (what: string) => new PluginError('incomplete_port', `${name} ${what}.`);
  if (typeof instance !== 'object' || instance === null) {
    throw fail(
      `is not a ${kind} plugin: its create returned ${instance === null ? 'null' : typeof instance}`,
    );
  }
  const { required, optional } = shapes[kind];
  const port = instance as Record<string, unknown>;
  const missing = required.filter((method) => typeof port[method] !== 'function');
  const wrong = [...optional, ...lifeCycle].filter(
    (method) => port[method] !== undefined && typeof port[method] !== 'function',
  );
  if (kind === 'cache' && missing.length === 0 && !port.iterator && !port.keysWith) {
    missing.push('iterator or keysWith');
  }
  for (const name of texts[kind] ?? [])
    if (typeof port[name] !== 'string' || port[name].trim() === '') missing.push(`${name} (a text)`);
  if (kind === 'notify' && !isListOfTexts(port.schemes)) missing.push('schemes (a list of strings)');
  if (missing.length > 0) throw fail(`is not a complete ${kind} plugin: it lacks ${missing.join(', ')}`);
  const service = kind === 'notify' ? problemOfService(manifest, port.service) : null;
  if (service !== null) throw fail(`has an invalid service description: ${service}`);
  const odd = wrong.filter((method) => !missing.includes(method));
  if (odd.length > 0) throw fail(`is not a ${kind} plugin: ${odd.join(', ')} must be functions`);
}

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

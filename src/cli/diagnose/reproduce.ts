import { shellWord } from '../../client/shell-word.js';
import type { Reproduction } from '../../reports/diagnosis-report.js';
import type { FoundError } from './read-errors.js';

/** A service in a URL of the API server. */
export interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Parses `https://guard.shop.svc:443/validate?timeout=10s`; undefined for hosts that are not services. */
export function serviceOf(url: string | undefined): Service | undefined {
  const match = /^https:\/\/([^./:]+)\.([^./:]+)\.svc(?::(\d+))?(?:[/?]|$)/.exec(url ?? '');
  if (match === null) return undefined;
  const [, name = '', namespace = '', port = '443'] = match;
  return { namespace, name, port: Number(port) };
}

/** Placeholders for files that a text does not name, and where to get them. */
const sources = {
  'MANIFEST.yaml': 'the manifest of the call',
  'CONFIGURATION.yaml': 'kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o yaml',
  'DEFINITION.yaml': 'kubectl get customresourcedefinitions PLURAL.GROUP -o yaml',
  'STATE.yaml': 'what the call needs of the cluster: kubectl get ... -o yaml',
  'OBJECT.yaml': 'kubectl get KIND NAME -o yaml',
} as const;

/** Returns the command that reproduces the error on this machine. */
export function reproduction(error: FoundError): Reproduction {
  const words = ['webhook-cli', ...commandOf(error)];
  return {
    command: words.map(shellWord).join(' '),
    files: Object.entries(sources).flatMap(([name, from]) => (words.includes(name) ? [{ name, from }] : [])),
  };
}

function commandOf(error: FoundError): string[] {
  const file = error.file ?? 'MANIFEST.yaml';
  if (error.what === 'conversion') {
    return ['convert', '-f', error.file ?? 'OBJECT.yaml', '--to', 'all', '--state', 'DEFINITION.yaml', ...serviceFlag(error.url)];
  }
  if (error.cause.id === 'invalid-configuration') return ['lint', '-f', error.file ?? 'CONFIGURATION.yaml'];
  const operation = error.operation === undefined ? [] : ['--operation', error.operation];
  const dryRun = error.cause.id === 'dry-run' ? ['--dry-run', 'server'] : [];
  return ['review', '-f', file, ...operation, ...dryRun, ...webhookFlags(error)];
}

function webhookFlags({ url, webhook, what, stage }: FoundError): string[] {
  if (url !== undefined && serviceOf(url) === undefined) {
    const timeout = /\?timeout=(\d+s)$/.exec(url)?.[1];
    const phase = stage === 'patch' || stage === 'apply' ? [] : ['--phase', 'both'];
    return ['--url', url.replace(/\?timeout=\d+s$/, ''), ...phase, ...(timeout === undefined ? [] : ['--timeout', timeout])];
  }
  const configuration = what === 'admission' || webhook !== undefined ? 'CONFIGURATION.yaml' : 'STATE.yaml';
  return ['--state', configuration, ...(webhook === undefined ? [] : ['--webhook', webhook]), ...serviceFlag(url)];
}

function serviceFlag(url: string | undefined): string[] {
  const service = serviceOf(url);
  if (service === undefined) return [];
  return ['--service', `${service.namespace}/${service.name}=https://127.0.0.1:8443`];
}

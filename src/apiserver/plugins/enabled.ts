import type { AdmissionPlugin } from '../admission/chain.js';
import { defaultTolerationSeconds } from './default-toleration-seconds.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import { priority } from './priority.js';
import { serviceAccount } from './service-account.js';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js';

/** The plugins that call webhooks: made anew for each call, since they remember between the passes. */
export interface WebhookPlugins {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
}

/** Plugins in the API server's order. Source: kubernetes pkg/kubeapiserver/options/plugins.go. */
const inOrder: readonly (AdmissionPlugin | keyof WebhookPlugins)[] = [
  namespaceLifecycle,
  serviceAccount,
  priority,
  defaultTolerationSeconds,
  storageObjectInUseProtection,
  'mutating',
  'validating',
];

/** The plugins that run, in the API server's order, by its flags. */
export function enabledPlugins(flags: readonly string[], webhooks: WebhookPlugins): AdmissionPlugin[] {
  const disabled = new Set(namesIn(flags, '--disable-admission-plugins='));
  return inOrder.map(plugin => (typeof plugin === 'string' ? webhooks[plugin] : plugin)).filter(plugin => !disabled.has(plugin.name));
}

function namesIn(flags: readonly string[], prefix: string): string[] {
  return flags.filter(flag => flag.startsWith(prefix)).flatMap(flag => flag.slice(prefix.length).split(','));
}

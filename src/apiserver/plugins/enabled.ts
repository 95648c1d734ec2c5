import type { AdmissionPlugin } from '../admission/chain.js';
import { mutatingWebhooks } from '../webhooks/mutating.js';
import { validatingWebhooks } from '../webhooks/validating.js';
import { defaultTolerationSeconds } from './default-toleration-seconds.js';
import { namespaceLifecycle } from './namespace-lifecycle.js';
import { priority } from './priority.js';
import { serviceAccount } from './service-account.js';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js';

/** Plugins in the API server's order; those that keep something between the phases are made anew for each call. Source: kubernetes pkg/kubeapiserver/options/plugins.go. */
const inOrder: readonly (AdmissionPlugin | (() => AdmissionPlugin))[] = [
  namespaceLifecycle,
  serviceAccount,
  priority,
  defaultTolerationSeconds,
  storageObjectInUseProtection,
  mutatingWebhooks,
  validatingWebhooks,
];

/** The plugins that run, in the API server's order, by its flags. */
export function enabledPlugins(flags: readonly string[]): AdmissionPlugin[] {
  const disabled = new Set(namesIn(flags, '--disable-admission-plugins='));
  return inOrder.map(plugin => (typeof plugin === 'function' ? plugin() : plugin)).filter(plugin => !disabled.has(plugin.name));
}

function namesIn(flags: readonly string[], prefix: string): string[] {
  return flags.filter(flag => flag.startsWith(prefix)).flatMap(flag => flag.slice(prefix.length).split(','));
}

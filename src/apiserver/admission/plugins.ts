import type { AdmissionPlugin } from './chain.js';

/** The two plugins that call webhooks, created for each call. */
export interface WebhookPlugins {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
}

/** Returns the plugins that run, in the API server's order, for the API server's flags. */
export type EnabledPlugins = (flags: readonly string[], webhooks: WebhookPlugins) => readonly AdmissionPlugin[];

let installed: EnabledPlugins | undefined;

/** Registers the in-tree plugins. Source: kubernetes pkg/kubeapiserver/options/plugins.go RegisterAllAdmissionPlugins. */
export function installPlugins(enabled: EnabledPlugins): void {
  installed = enabled;
}

/** Returns the installed plugins. Throws before {@link installPlugins}. */
export function installedPlugins(): EnabledPlugins {
  if (installed === undefined) throw new Error('no admission plugins are installed: call installPlugins() first');
  return installed;
}

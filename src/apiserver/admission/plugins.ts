import type { ApiServer } from '../../kubernetes/api-server.js';
import type { AdmissionPlugin } from './chain.js';

/** The two plugins that call webhooks, created for each call. */
export interface WebhookPlugins {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
}

/** Returns the plugins that run, in the API server's order, for the API server's flags. */
export type EnabledPlugins = (server: ApiServer, flags: readonly string[], webhooks: WebhookPlugins) => readonly AdmissionPlugin[];

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** The in-tree plugins. Source: kubernetes pkg/kubeapiserver/options/plugins.go RegisterAllAdmissionPlugins. */
    readonly plugins: EnabledPlugins;
  }
}

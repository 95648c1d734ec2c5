import { type GoStruct, type GoValue, goMap } from '../../go-template/values.js';
import { madeStruct } from './go-data.js';

/** Mode in which the proxy gets the pod's traffic: an enumeration that is printed by its name. */
const interceptionMode: GoStruct = {
  ...madeStruct('v1alpha1.ProxyConfig_InboundInterceptionMode', { String: 'REDIRECT' }),
  printed: 'REDIRECT',
};

/** Returns the configuration of proxies in a mesh without settings. Source: istio pkg/config/mesh DefaultProxyConfig. */
export function defaultProxyConfig(): GoValue {
  return madeStruct('v1alpha1.ProxyConfig', {
    DiscoveryAddress: 'istiod.istio-system.svc:15012',
    StatusPort: 15020n,
    ProxyAdminPort: 15000n,
    InterceptionMode: interceptionMode,
    HoldApplicationUntilProxyStarts: madeStruct('wrapperspb.BoolValue', { GetValue: false }),
    ProxyMetadata: goMap(new Map(), 'string'),
    GetTracing: madeStruct('v1alpha1.Tracing', { GetTlsSettings: null }),
  });
}

/** Returns the configuration of a mesh without settings. Source: istio pkg/config/mesh DefaultMeshConfig. */
export function defaultMeshConfig(): GoValue {
  return madeStruct('v1alpha1.MeshConfig', { ProxyListenPort: 15001n, ProxyInboundListenPort: 15006n, TrustDomain: 'cluster.local' });
}

import { encodeAs } from '../../apiserver/objects/encode-typed.js';
import { parsePlain, plainOfValue } from '../../encoding/plain-json.js';
import { mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { GoStruct, TemplateValue } from '../../go-template/values.js';
import { goMap } from '../../go-template/values.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';
import { goValueOf, madeStruct, structValue } from './go-data.js';
import type { Workload } from './workload.js';

/** Input of a template, under the names that Go templates use. */
export interface TemplateInput {
  readonly TypeMeta: { readonly kind: string; readonly apiVersion: string };
  readonly DeploymentMeta: { readonly name: string; readonly namespace: string };
  // biome-ignore lint/suspicious/noExplicitAny: the pod's metadata, as plain data
  readonly ObjectMeta: any;
  // biome-ignore lint/suspicious/noExplicitAny: the pod's spec, as plain data
  readonly Spec: any;
  // biome-ignore lint/suspicious/noExplicitAny: the values, as plain data
  readonly Values: any;
  readonly Revision: string;
  readonly ProxyImage: string;
}

export interface TemplateSource {
  /** Pod before injection. */
  readonly pod: ValueMap;
  readonly workload: Workload;
  readonly values: Value;
  readonly revision: string;
}

/** Returns the data of Go templates. Source: istio pkg/kube/inject inject.go SidecarTemplateData. */
export function templateData({ pod, workload, values, revision }: TemplateSource): TemplateValue {
  return madeStruct('inject.SidecarTemplateData', {
    TypeMeta: madeStruct('v1.TypeMeta', { Kind: workload.kind, APIVersion: workload.apiVersion }),
    DeploymentMeta: madeStruct('types.NamespacedName', { Namespace: workload.namespace, Name: workload.name }),
    ObjectMeta: structValue(structNamed(goTypes, 'meta/v1.ObjectMeta'), mapAt(pod, 'metadata') ?? new Map()),
    Spec: structValue(structNamed(goTypes, 'core/v1.PodSpec'), mapAt(pod, 'spec') ?? new Map()),
    ProxyConfig: defaultProxyConfig(),
    MeshConfig: defaultMeshConfig(),
    Values: goValueOf(values),
    Revision: revision,
    ProxyImage: imageOf(values, 'proxy'),
    ProxyInitImage: imageOf(values, 'proxy_init'),
    NativeSidecars: false,
    ProxyUID: 1337n,
    ProxyGID: 1337n,
    InboundTrafficPolicyMode: 'PASSTHROUGH',
    CompliancePolicy: '',
  });
}

/** Returns plain data for templates in TypeScript. */
export function templateInput({ pod, workload, values, revision }: TemplateSource): TemplateInput {
  const plain = (type: string, member: string): unknown =>
    parsePlain(encodeAs(structNamed(goTypes, type), mapAt(pod, member) ?? new Map()));
  return {
    TypeMeta: { kind: workload.kind, apiVersion: workload.apiVersion },
    DeploymentMeta: { name: workload.name, namespace: workload.namespace },
    ObjectMeta: plain('meta/v1.ObjectMeta', 'metadata'),
    Spec: plain('core/v1.PodSpec', 'spec'),
    Values: plainOfValue(values),
    Revision: revision,
    ProxyImage: imageOf(values, 'proxy'),
  };
}

/** Source: istio pkg/kube/inject inject.go ProxyImage, ProxyInitImage, imageURL. */
function imageOf(values: Value, container: 'proxy' | 'proxy_init'): string {
  const image = stringAt(values, 'global', container, 'image') || 'proxyv2';
  if (image.includes('/')) return image;
  const tag = valueAt(values, 'global', 'tag');
  return `${stringAt(values, 'global', 'hub')}/${image}${tag === undefined || tag === '' ? '' : `:${String(tag)}`}`;
}

/** Mode in which the proxy gets the pod's traffic: an enumeration that is printed by its name. */
const interceptionMode: GoStruct = {
  ...madeStruct('v1alpha1.ProxyConfig_InboundInterceptionMode', { String: 'REDIRECT' }),
  printed: 'REDIRECT',
};

/** Returns the configuration of proxies in a mesh without settings. Source: istio pkg/config/mesh DefaultProxyConfig. */
function defaultProxyConfig(): TemplateValue {
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
function defaultMeshConfig(): TemplateValue {
  return madeStruct('v1alpha1.MeshConfig', { ProxyListenPort: 15001n, ProxyInboundListenPort: 15006n, TrustDomain: 'cluster.local' });
}

// Generated from the tables of Kubernetes types by `npm run docs`.
import type { ObjectReference } from './core-v1.js';
import type { ObjectMeta } from './meta-v1.js';

export interface Endpoint { addresses: string[]; conditions?: EndpointConditions; hostname?: string; targetRef?: ObjectReference; deprecatedTopology?: Record<string, string>; nodeName?: string; zone?: string; hints?: EndpointHints }
export interface EndpointConditions { ready?: boolean; serving?: boolean; terminating?: boolean }
export interface EndpointHints { forZones?: ForZone[]; forNodes?: ForNode[] }
export interface EndpointPort { name?: string; protocol?: string; port?: number; appProtocol?: string }
export interface EndpointSlice { kind?: string; apiVersion?: string; metadata: ObjectMeta; addressType: string; endpoints: Endpoint[]; ports: EndpointPort[] }
export interface ForNode { name: string }
export interface ForZone { name: string }

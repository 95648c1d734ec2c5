// Generated from the tables of Kubernetes types by `npm run docs`.
import type { ObjectMeta } from './meta-v1.js';

export interface Lease { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: LeaseSpec }
export interface LeaseSpec { holderIdentity?: string; leaseDurationSeconds?: number; acquireTime?: string; renewTime?: string; leaseTransitions?: number; strategy?: string; preferredHolder?: string }

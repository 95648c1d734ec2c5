import type { Refinement } from '../../../apiserver/registry/strategy.js';

/** The name is an address. Source: kubernetes pkg/registry/networking/ipaddress/strategy.go noopNameGenerator. */
export const ipAddress: Refinement = base => ({ ...base, keepsGeneratedName: true });

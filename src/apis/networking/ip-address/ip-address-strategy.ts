import type { Refinement } from '../../../apiserver/registry/strategy.js';

/**
 * Strategy of IP addresses, whose name is the address. Source: kubernetes pkg/registry/networking/ipaddress/strategy.go noopNameGenerator.
 */
export const ipAddress: Refinement = base => ({ ...base, keepsGeneratedName: true });

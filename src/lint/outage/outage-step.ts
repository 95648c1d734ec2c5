/** A call that a cluster makes to keep a webhook, or itself, running. */
export interface OutageStep {
  /** What is refused: `binding its pods to nodes`. */
  readonly what: string;
  readonly chain: 'own-pods' | 'own-recovery' | 'own-upkeep' | 'nodes' | 'kube-system-pods' | 'kube-system';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly group: string;
  /** `pods/binding` */
  readonly resource: string;
  readonly version: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Of the object; empty in a create of a new one. */
  readonly name: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** Body of the create, or merge patch of the update. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Object that exists before; undefined if the call needs none. */
  readonly existing: Readonly<Record<string, unknown>> | undefined;
}

/** The user of a service account, with its groups. */
export function serviceAccountOfStep(namespace: string, name: string): Pick<OutageStep, 'username' | 'groups'> {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, groups };
}

/** A controller of kube-controller-manager. */
export function controller(name: string): Pick<OutageStep, 'username' | 'groups'> {
  return serviceAccountOfStep('kube-system', name);
}

export const scheduler = { username: 'system:kube-scheduler', groups: ['system:authenticated'] } as const;
export const controllerManager = { username: 'system:kube-controller-manager', groups: ['system:authenticated'] } as const;
export const kubelet = { username: 'system:node:node-1', groups: ['system:nodes', 'system:authenticated'] } as const;
/** Someone who repairs the cluster. */
export const administrator = { username: 'kubernetes-admin', groups: ['kubeadm:cluster-admins', 'system:authenticated'] } as const;

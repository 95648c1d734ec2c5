const group = 'flowcontrol.apiserver.k8s.io';

export const schemaKind = { group, kind: 'FlowSchema' };
export const levelKind = { group, kind: 'PriorityLevelConfiguration' };

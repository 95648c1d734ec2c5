/** Values of random documents: those that rules check, and unusual ones. All but the words are JSON texts. */

export const wrong = [
  'null',
  '5',
  '"x"',
  'true',
  '[]',
  '{}',
  '[{}]',
  '["x"]',
  '{"a":1}',
  '1.5',
  '[null]',
  '""',
  '{"a":null,"a":{}}',
  '-1e5',
];

export const words = [
  'a',
  'b',
  '',
  'x',
  '<&>',
  'é',
  'Always',
  'None',
  'RollingUpdate',
  'Recreate',
  'OnDelete',
  'ClusterIP',
  'NodePort',
  'LoadBalancer',
  'ExternalName',
  'ClientIP',
  'Container',
  'User',
  'Group',
  'ServiceAccount',
  'Resource',
  'ExactCount',
  'Webhook',
  'cpu',
  '*',
  'rbac.authorization.k8s.io/v1',
  'a/b/c',
];

/** Values of fields that rules check. */
export const strings = new Map<string, readonly string[]>([
  [
    'image',
    [
      'nginx',
      'nginx:1.27',
      'nginx:latest',
      'NGINX',
      '',
      'localhost/x:latest',
      'localhost:5000/x',
      'a.b/c',
      'A/b',
      'gcr.io/a/b:v1',
      'x@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
      'x:latest@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
      'x@sha256:0123',
      '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
      'a b',
      'x:',
      'docker.io/x',
      'index.docker.io/x:latest',
      '[::1]:5000/x',
      'a__b/c--d:x.y_z',
      'a___b',
      'X.com/y:latest',
      `a/${'b'.repeat(256)}`,
    ],
  ],
  [
    'type',
    [
      'RollingUpdate',
      'Recreate',
      'OnDelete',
      'ClusterIP',
      'NodePort',
      'LoadBalancer',
      'ExternalName',
      'Container',
      'Resource',
      'Pod',
      '',
      '',
    ],
  ],
  ['sessionAffinity', ['None', 'ClientIP', '', 'x']],
  ['kind', ['User', 'Group', 'ServiceAccount', 'Pod', '', 'Widget', 'İX', 'ΑΣ']],
  ['name', ['cpu', 'a', 'b', 'x', '', 'memory', '*']],
  ['restartPolicy', ['Always', 'Never', '']],
  ['strategy', ['None', 'Webhook', '']],
  ['allocationMode', ['ExactCount', 'All', '']],
  ['operator', ['Exists', 'DoesNotExist', 'In', '']],
  ['key', ['pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', 'a', '']],
  ['podIP', ['10.0.0.1', '10.0.0.2', '']],
  ['ip', ['10.0.0.1', '10.0.0.2', '']],
  ['podCIDR', ['10.0.0.0/24', 'a', '']],
  ['podCIDRs', ['10.0.0.0/24', 'b', '']],
  ['targetSelector', ['a=b', 'a in (b,c)', 'a=b,c!=d', '', 'a b', 'x,y']],
]);

/** Keys for the maps of a field. */
export function keysOf(field: string): readonly string[] {
  if (field === 'annotations') return [...annotationValues.keys()];
  if (field === 'topology' || field === 'deprecatedTopology') return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname', 'a'];
  return ['cpu', 'memory', 'hugepages-2Mi', 'hugepages-1Gi', 'a', 'b', 'x/y', '<k>', 'é', '\u{1f600}', '\uffee', ''];
}

export const annotationValues = new Map<string, readonly string[]>([
  ['deprecated.deployment.rollback.to', ['1', '-5', '', 'x', '+7', '99999999999999999999']],
  ['deprecated.daemonset.template.generation', ['1', '0', '7', '-3', '+4', 'x', '']],
  ['pod.beta.kubernetes.io/init-containers', ['[]']],
  ['pod.alpha.kubernetes.io/init-container-statuses', ['x']],
  ['flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares', ['', 'x']],
  [
    'autoscaling.alpha.kubernetes.io/metrics',
    [
      '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5","selector":{"matchLabels":{"a":"<b>"}}}}]',
      '[{"Type":"Object","OBJECT":{"target":{"kind":"K","name":"n"},"metricName":"m","targetValue":"10","averageValue":"3"}},{"type":"Object","object":{"targetValue":"1k"}}]',
      '[{"type":"External","external":{"metricName":"e","targetAverageValue":"1.5"}},{"type":"External","external":{"metricSelector":{},"targetValue":"2"}}]',
      '[{"type":"Resource","resource":{"name":"cpu","targetAverageValue":"100m"}},{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":50}}]',
      '[{"type":"ContainerResource","containerResource":{"name":"memory","container":"c","targetAverageUtilization":5}},{"type":"Object","object":{"averageValue":"0","targetValue":"0"}}]',
      '[]',
      'null',
      'x',
      '[{"type":5}]',
      '[{"pods":{}}]',
    ],
  ],
  [
    'autoscaling.alpha.kubernetes.io/current-metrics',
    [
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"10m"}}]',
      '[{"type":"Object","object":{"target":{"name":"n"},"metricName":"m","currentValue":"5"}},{"type":"Pods","pods":{"currentAverageValue":"2"}}]',
      '[{"type":"External","external":{"currentValue":"1","currentAverageValue":"2"}},{"containerResource":{"container":"c"}}]',
      '[]',
      '{}',
    ],
  ],
  [
    'autoscaling.alpha.kubernetes.io/behavior',
    [
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":null}',
      '{"scaleDown":{"tolerance":"0.1","policies":[]}}',
      '{}',
      '{"ScaleUp":5}',
    ],
  ],
  [
    'autoscaling.alpha.kubernetes.io/conditions',
    ['[{"type":"A","status":"True","lastTransitionTime":"2024-01-02T03:04:05Z"},{"reason":"<r>"}]', '[]', '[{"lastTransitionTime":"x"}]'],
  ],
]);

export const quantities = [
  '1',
  '"1"',
  '"500m"',
  '"0.1111"',
  '"1Gi"',
  '"1024Mi"',
  '"0"',
  '0',
  '0.5',
  '"1n"',
  '"1e3"',
  '"-1"',
  '"+5"',
  '" 2 "',
  '"1.5Gi"',
  '"100000000000000000000"',
  '"8Ki"',
];
export const times = ['"2024-01-02T03:04:05Z"', '"2024-01-02T03:04:05+02:00"', '"2024-01-02T03:04:05.678Z"', '"0001-01-01T00:00:00Z"'];
export const microTimes = [
  '"2024-01-02T03:04:05.000000Z"',
  '"2024-01-02T03:04:05.123456Z"',
  '"2024-01-02T03:04:05Z"',
  '"2024-01-02T03:04:05.1234567+01:00"',
];
export const oddTimes = ['"x"', '""', '5', '{}', '"2024-13-02T03:04:05Z"', '"2024-01-02"', '"2024-01-02T03:04:05"', '["x"]'];
export const rawValues = [
  '{"b":1,"a":[1.0,"<"]}',
  '5',
  '"x"',
  '[]',
  '{}',
  ' { "a" : 1 } ',
  'true',
  '{"a":1,"a":2}',
  '"\\u00e9"',
  '[1e2,null]',
];

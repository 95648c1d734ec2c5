import { type DefaultRule, type DefaultRules, isAbsent, setDefault } from '../../apiserver/objects/default-rules.js';
import { copyOf, ensureMap, isMap, mapAt, type Value, type ValueMap } from '../../go/value.js';
import { labelLikeTemplate } from '../core/core-defaults.js';

/**
 * Defaults of workloads, including the old versions that the API server can still decode. Source: kubernetes pkg/apis/apps, extensions
 * defaults.go.
 */
export const appsDefaults: DefaultRules = {
  'apps/v1.Deployment': deployment({ share: '25%', history: 10n, deadline: 600n }),
  'apps/v1beta2.Deployment': deployment({ share: '25%', history: 10n, deadline: 600n }),
  'apps/v1beta1.Deployment': both(selectLikeTemplate, deployment({ share: '25%', history: 2n, deadline: 600n })),
  'extensions/v1beta1.Deployment': both(selectLikeTemplate, deployment({ share: 1n, history: maxInt32(), deadline: maxInt32() })),
  'apps/v1.DaemonSet': daemonSet('RollingUpdate'),
  'apps/v1beta2.DaemonSet': daemonSet('RollingUpdate'),
  'extensions/v1beta1.DaemonSet': both(selectLikeTemplate, daemonSet('OnDelete')),
  'apps/v1.StatefulSet': statefulSet('RollingUpdate'),
  'apps/v1beta2.StatefulSet': statefulSet('RollingUpdate'),
  'apps/v1beta1.StatefulSet': both(selectLikeTemplate, statefulSet('OnDelete')),
  'apps/v1.ReplicaSet': oneReplica,
  'apps/v1beta2.ReplicaSet': oneReplica,
  'extensions/v1beta1.ReplicaSet': both(selectLikeTemplate, oneReplica),
};

function maxInt32(): bigint {
  return 2147483647n;
}

function both(first: DefaultRule, second: DefaultRule): DefaultRule {
  return (value, now, server) => {
    first(value, now, server);
    second(value, now, server);
  };
}

function oneReplica(object: ValueMap): void {
  setDefault(ensureMap(object, 'spec'), 'replicas', 1n);
}

/** Sets labels and selector of an object of the old versions from its template's labels when they are absent. */
function selectLikeTemplate(object: ValueMap): void {
  const spec = ensureMap(object, 'spec');
  const labels = mapAt(spec, 'template', 'metadata', 'labels');
  if (labels === undefined) return;
  if (isAbsent(spec, 'selector')) spec.set('selector', new Map([['matchLabels', copyOf(labels)]]));
  labelLikeTemplate(object);
}

function deployment({ share, history, deadline }: { share: Value; history: bigint; deadline: bigint }): DefaultRule {
  return object => {
    const spec = ensureMap(object, 'spec');
    setDefault(spec, 'replicas', 1n);
    const strategy = ensureMap(spec, 'strategy');
    setDefault(strategy, 'type', 'RollingUpdate');
    // Only extensions/v1beta1 defaults to 1; it also sets a rolling update that another type does not use.
    if (strategy.get('type') === 'RollingUpdate' || (share === 1n && isMap(strategy.get('rollingUpdate')))) {
      const rollingUpdate = ensureMap(strategy, 'rollingUpdate');
      setDefault(rollingUpdate, 'maxUnavailable', share);
      setDefault(rollingUpdate, 'maxSurge', share);
    }
    setDefault(spec, 'revisionHistoryLimit', history);
    setDefault(spec, 'progressDeadlineSeconds', deadline);
  };
}

function daemonSet(type: string): DefaultRule {
  return object => {
    const spec = ensureMap(object, 'spec');
    const strategy = ensureMap(spec, 'updateStrategy');
    setDefault(strategy, 'type', type);
    if (strategy.get('type') === 'RollingUpdate') {
      const rollingUpdate = ensureMap(strategy, 'rollingUpdate');
      setDefault(rollingUpdate, 'maxUnavailable', 1n);
      setDefault(rollingUpdate, 'maxSurge', 0n);
    }
    setDefault(spec, 'revisionHistoryLimit', 10n);
  };
}

function statefulSet(type: string): DefaultRule {
  return (object, _now, server) => {
    const spec = ensureMap(object, 'spec');
    setDefault(spec, 'podManagementPolicy', 'OrderedReady');
    const strategy = ensureMap(spec, 'updateStrategy');
    if (isAbsent(strategy, 'type')) {
      strategy.set('type', type);
      if (type === 'RollingUpdate') ensureMap(strategy, 'rollingUpdate');
    }
    const rollingUpdate = strategy.get('rollingUpdate');
    if (strategy.get('type') === 'RollingUpdate' && isMap(rollingUpdate)) {
      setDefault(rollingUpdate, 'partition', 0n);
      if (server.isEnabled('MaxUnavailableStatefulSet')) setDefault(rollingUpdate, 'maxUnavailable', 1n);
    }
    const retention = ensureMap(spec, 'persistentVolumeClaimRetentionPolicy');
    setDefault(retention, 'whenDeleted', 'Retain');
    setDefault(retention, 'whenScaled', 'Retain');
    setDefault(spec, 'replicas', 1n);
    setDefault(spec, 'revisionHistoryLimit', 10n);
  };
}

import { cidrProblems, ipProblems } from '../../../../kubernetes/ip-rules.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentProblems,
  portNameProblems,
  wildcardSubdomainProblems,
} from '../../../../kubernetes/name-rules.js';
import type { KindRules } from '../kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  entryAt,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../place.js';
import { networkWarnings } from '../pods/address-warnings.js';
import { checkLabelSelector, checkName, checkPort } from '../rules.js';

/** Source: networking/validation ValidateIngressCreate. */
export const ingressRules: KindRules = {
  create: ingress => {
    checkIngress(at(ingress, 'spec'));
    const annotation = at(ingress, 'metadata', 'annotations', classAnnotation);
    if (
      isSet(annotation) &&
      hasSet(at(ingress, 'spec'), 'ingressClassName') &&
      textOf(annotation) !== textAt(ingress, 'spec', 'ingressClassName')
    )
      addInvalid({ ...annotation, path: `annotations.${classAnnotation}` }, 'must match `ingressClassName` when both are specified');
  },
  update: ['changes', 'metadata', ingress => checkIngress(at(ingress, 'spec'))],
  warnings: (ingress, old) =>
    old === undefined &&
    isSet(entryAt(at(ingress, 'metadata', 'annotations'), classAnnotation)) &&
    !hasSet(at(ingress, 'spec'), 'ingressClassName')
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
};

/** Source: networking/validation ValidateNetworkPolicy. */
export const networkPolicyRules: KindRules = {
  create: policy => checkPolicy(at(policy, 'spec')),
  update: ['changes', policy => checkPolicy(at(policy, 'spec'))],
  warnings: policy => [
    ...itemsAt(policy, 'spec', 'ingress').flatMap(rule => itemsAt(rule, 'from').flatMap(blockWarnings)),
    ...itemsAt(policy, 'spec', 'egress').flatMap(rule => itemsAt(rule, 'to').flatMap(blockWarnings)),
  ],
};

function blockWarnings(peer: Place): string[] {
  const block = at(peer, 'ipBlock');
  return [at(block, 'cidr'), ...itemsAt(block, 'except')].flatMap(networkWarnings);
}

/** Source: networking/validation ValidateServiceCIDR, for new ones. */
export const serviceCidrRules: KindRules = {
  create: place => {
    const cidrs = at(place, 'spec', 'cidrs');
    if (lengthOf(cidrs) === 0) addRequired(cidrs, 'at least one CIDR required');
    for (const cidr of itemsAt(place, 'spec', 'cidrs')) checkName(cidr, cidrProblems);
  },
  update: ['changes'],
};

const classAnnotation = 'kubernetes.io/ingress.class';

function checkIngress(spec: Place): void {
  const backend = at(spec, 'defaultBackend');
  if (lengthOf(at(spec, 'rules')) === 0 && !isSet(backend))
    addInvalid(spec, 'either `defaultBackend` or `rules` must be specified', hasSet(spec, 'rules') ? { rawJson: '[]' } : null);
  if (isSet(backend)) checkBackend(backend);
  for (const rule of itemsAt(spec, 'rules')) checkIngressRule(rule);
  for (const tls of itemsAt(spec, 'tls')) {
    for (const host of itemsAt(tls, 'hosts'))
      checkName(host, textOf(host).includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems);
    if (textAt(tls, 'secretName') !== '') checkName(at(tls, 'secretName'), dns1123SubdomainProblems);
  }
  if (hasSet(spec, 'ingressClassName')) checkName(at(spec, 'ingressClassName'), dns1123SubdomainProblems);
}

function checkIngressRule(rule: Place): void {
  const host = at(rule, 'host');
  if (textOf(host) !== '') {
    if (ipProblems(textOf(host))[0]?.includes('valid IP') !== true) addInvalid(host, 'must be a DNS name, not an IP address');
    checkName(host, textOf(host).includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems);
  }
  const http = at(rule, 'http');
  if (!isSet(http)) return;
  if (lengthOf(at(http, 'paths')) === 0) addRequired(at(http, 'paths'));
  for (const path of itemsAt(http, 'paths')) checkIngressPath(path);
}

function checkIngressPath(place: Place): void {
  const [type, path] = [at(place, 'pathType'), at(place, 'path')];
  if (!isSet(type)) {
    addRequired(type, 'pathType must be specified');
    return;
  }
  const text = textOf(path);
  if (textOf(type) === 'Exact' || textOf(type) === 'Prefix') {
    if (!text.startsWith('/')) addInvalid(path, 'must be an absolute path');
    for (const part of ['//', '/./', '/../', '%2f', '%2F']) if (text.includes(part)) addInvalid(path, `must not contain '${part}'`);
    for (const end of ['/..', '/.']) if (text.endsWith(end)) addInvalid(path, `cannot end with '${end}'`);
  } else if (textOf(type) === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) addInvalid(path, 'must be an absolute path');
  } else addUnsupported(type, ['Exact', 'ImplementationSpecific', 'Prefix']);
  checkBackend(at(place, 'backend'));
}

function checkBackend(backend: Place): void {
  const [resource, service] = [at(backend, 'resource'), at(backend, 'service')];
  if (isSet(resource) && isSet(service)) addInvalid(backend, 'cannot set both resource and service backends', '');
  else if (isSet(resource)) {
    if (hasSet(resource, 'apiGroup')) checkName(at(resource, 'apiGroup'), dns1123SubdomainProblems);
    for (const key of ['kind', 'name']) {
      if (textAt(resource, key) === '') addRequired(at(resource, key));
      else checkName(at(resource, key), pathSegmentProblems);
    }
  } else if (!isSet(service)) addInvalid(backend, 'resource or service backend is required', '');
  else {
    if (textAt(service, 'name') === '') addRequired(at(service, 'name'));
    else checkName(at(service, 'name'), dns1123LabelProblems);
    const [name, number] = [at(service, 'port', 'name'), at(service, 'port', 'number')];
    if (textOf(name) !== '' && numberOf(number) !== 0n) addInvalid(backend, 'cannot set both port name & port number', '');
    else if (textOf(name) !== '') checkName(name, portNameProblems);
    else if (numberOf(number) !== 0n) checkPort(number);
    else addRequired(backend, 'port name or number is required');
  }
}

function checkPolicy(spec: Place): void {
  checkLabelSelector(at(spec, 'podSelector'));
  for (const [rules, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const rule of itemsAt(spec, rules)) {
      for (const port of itemsAt(rule, 'ports')) checkPolicyPort(port);
      for (const peer of itemsAt(rule, peers)) checkPeer(peer);
    }
  }
  const types = at(spec, 'policyTypes');
  if (lengthOf(types) > 2) {
    addInvalid(types, 'may not specify more than two policyTypes');
    return;
  }
  for (const type of itemsAt(spec, 'policyTypes'))
    if (!['Ingress', 'Egress'].includes(textOf(type))) addUnsupported(type, ['Ingress', 'Egress']);
}

function checkPolicyPort(place: Place): void {
  const [protocol, port, end] = [at(place, 'protocol'), at(place, 'port'), at(place, 'endPort')];
  if (isSet(protocol) && !['TCP', 'UDP', 'SCTP'].includes(textOf(protocol))) addUnsupported(protocol, ['TCP', 'UDP', 'SCTP']);
  if (!isSet(port)) {
    if (isSet(end)) addInvalid(end, 'may not be specified when `port` is not specified');
  } else if (typeof port.value === 'string') {
    if (isSet(end)) addInvalid(end, 'may not be specified when `port` is non-numeric');
    checkName(port, portNameProblems);
  } else {
    checkPort(port);
    if (!isSet(end)) return;
    if (numberOf(end) < numberOf(port)) addInvalid(end, 'must be greater than or equal to `port`', numberAt(place, 'port'));
    checkPort(end);
  }
}

function checkPeer(peer: Place): void {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter(key => hasSet(peer, key));
  for (const key of given) if (key !== 'ipBlock') checkLabelSelector(at(peer, key));
  if (given.includes('ipBlock')) {
    const block = at(peer, 'ipBlock');
    const cidr = at(block, 'cidr');
    if (textOf(cidr) === '') addRequired(cidr);
    else {
      checkName(cidr, cidrProblems);
      for (const except of itemsAt(block, 'except')) checkName(except, cidrProblems);
    }
  }
  if (given.length === 0) addRequired(peer, 'must specify a peer');
  else if (given.length > 1 && given.includes('ipBlock')) addForbidden(peer, 'may not specify both ipBlock and another peer');
}

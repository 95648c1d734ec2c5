import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  entryAt,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName, checkPort } from '../../../apiserver/registry/validation/rules.js';
import { ipProblems } from '../../../kubernetes/ip-rules.js';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentProblems,
  portNameProblems,
  wildcardSubdomainProblems,
} from '../../../kubernetes/name-rules.js';

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
    if (ipProblems(rule.server, textOf(host))[0]?.includes('valid IP') !== true) addInvalid(host, 'must be a DNS name, not an IP address');
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
    else
      checkName(
        at(service, 'name'),
        backend.server.isEnabled('RelaxedServiceNameValidation') ? dns1123LabelProblems : dns1035LabelProblems,
      );
    const [name, number] = [at(service, 'port', 'name'), at(service, 'port', 'number')];
    if (textOf(name) !== '' && numberOf(number) !== 0n) addInvalid(backend, 'cannot set both port name & port number', '');
    else if (textOf(name) !== '') checkName(name, portNameProblems);
    else if (numberOf(number) !== 0n) checkPort(number);
    else addRequired(backend, 'port name or number is required');
  }
}

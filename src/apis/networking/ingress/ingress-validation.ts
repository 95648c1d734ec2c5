import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
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
    checkIngress(ingress.child('spec'));
    const annotation = ingress.child('metadata', 'annotations', classAnnotation);
    if (
      annotation.isSet() &&
      ingress.child('spec').has('ingressClassName') &&
      annotation.text() !== ingress.text('spec', 'ingressClassName')
    )
      annotation.shownAt(`annotations.${classAnnotation}`).invalid('must match `ingressClassName` when both are specified');
  },
  update: ['changes', 'metadata', ingress => checkIngress(ingress.child('spec'))],
  warnings: (ingress, old) =>
    old === undefined &&
    ingress.child('metadata', 'annotations').key(classAnnotation).isSet() &&
    !ingress.child('spec').has('ingressClassName')
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
};

const classAnnotation = 'kubernetes.io/ingress.class';

function checkIngress(spec: FieldPath): void {
  const backend = spec.child('defaultBackend');
  if (spec.child('rules').length() === 0 && !backend.isSet())
    spec.invalid(spec.has('rules') ? { rawJson: '[]' } : null, 'either `defaultBackend` or `rules` must be specified');
  if (backend.isSet()) checkBackend(backend);
  for (const rule of spec.items('rules')) checkIngressRule(rule);
  for (const tls of spec.items('tls')) {
    for (const host of tls.items('hosts'))
      checkName(host, host.text().includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems);
    if (tls.text('secretName') !== '') checkName(tls.child('secretName'), dns1123SubdomainProblems);
  }
  if (spec.has('ingressClassName')) checkName(spec.child('ingressClassName'), dns1123SubdomainProblems);
}

function checkIngressRule(rule: FieldPath): void {
  const host = rule.child('host');
  if (host.text() !== '') {
    if (ipProblems(rule.server, host.text())[0]?.includes('valid IP') !== true) host.invalid('must be a DNS name, not an IP address');
    checkName(host, host.text().includes('*') ? wildcardSubdomainProblems : dns1123SubdomainProblems);
  }
  const http = rule.child('http');
  if (!http.isSet()) return;
  if (http.child('paths').length() === 0) http.child('paths').required();
  for (const path of http.items('paths')) checkIngressPath(path);
}

function checkIngressPath(field: FieldPath): void {
  const [type, path] = [field.child('pathType'), field.child('path')];
  if (!type.isSet()) {
    type.required('pathType must be specified');
    return;
  }
  const text = path.text();
  if (type.text() === 'Exact' || type.text() === 'Prefix') {
    if (!text.startsWith('/')) path.invalid('must be an absolute path');
    for (const part of ['//', '/./', '/../', '%2f', '%2F']) if (text.includes(part)) path.invalid(`must not contain '${part}'`);
    for (const end of ['/..', '/.']) if (text.endsWith(end)) path.invalid(`cannot end with '${end}'`);
  } else if (type.text() === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) path.invalid('must be an absolute path');
  } else type.notSupported(['Exact', 'ImplementationSpecific', 'Prefix']);
  checkBackend(field.child('backend'));
}

function checkBackend(backend: FieldPath): void {
  const [resource, service] = [backend.child('resource'), backend.child('service')];
  if (resource.isSet() && service.isSet()) backend.invalid('', 'cannot set both resource and service backends');
  else if (resource.isSet()) {
    if (resource.has('apiGroup')) checkName(resource.child('apiGroup'), dns1123SubdomainProblems);
    for (const key of ['kind', 'name']) {
      if (resource.text(key) === '') resource.child(key).required();
      else checkName(resource.child(key), pathSegmentProblems);
    }
  } else if (!service.isSet()) backend.invalid('', 'resource or service backend is required');
  else {
    if (service.text('name') === '') service.child('name').required();
    else
      checkName(
        service.child('name'),
        backend.server.isEnabled('RelaxedServiceNameValidation') ? dns1123LabelProblems : dns1035LabelProblems,
      );
    const [name, number] = [service.child('port', 'name'), service.child('port', 'number')];
    if (name.text() !== '' && number.number() !== 0n) backend.invalid('', 'cannot set both port name & port number');
    else if (name.text() !== '') checkName(name, portNameProblems);
    else if (number.number() !== 0n) checkPort(number);
    else backend.required('port name or number is required');
  }
}

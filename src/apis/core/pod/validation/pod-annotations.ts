import {
  addForbidden,
  addInvalid,
  at,
  entryAt,
  hasSet,
  isSet,
  mapOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkDescendingPath } from '../../../../apiserver/registry/validation/rules.js';
import { unstructuredOf } from '../../../../encoding/unstructured.js';
import { readJson } from '../../../../go/json/reader.js';
import { JsonSyntaxError } from '../../../../go/json/syntax-error.js';
import { quote } from '../../../../go/quote.js';
import { operatingSystem } from './pod-context.js';
import { allContainers } from './pod-spec.js';
import { checkTolerations } from './scheduling.js';

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Validates the annotations with a meaning for pods. Source: ValidatePodSpecificAnnotations. */
export function checkPodAnnotations(annotations: Place, spec: Place): void {
  const mirror = entryAt(annotations, 'kubernetes.io/config.mirror');
  if (isSet(mirror) && textAt(spec, 'nodeName') === '') addInvalid(mirror, 'must set spec.nodeName if mirror pod annotation is set');
  checkToleratedTaints(annotations);
  const cost = entryAt(annotations, 'controller.kubernetes.io/pod-deletion-cost');
  if (isSet(cost) && !isInt32(textOf(cost))) addInvalid(cost, 'must be a 32bit integer');
  const keys = [...mapOf(annotations).keys()];
  if (keys.includes(seccompPod)) checkSeccomp(at(annotations, seccompPod));
  for (const key of keys.filter(k => k.startsWith(seccompContainer))) checkSeccomp(at(annotations, key));
  for (const key of keys.filter(k => k.startsWith(appArmor))) checkAppArmor(entryAt(annotations, key), key.slice(appArmor.length), spec);
}

const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';

/** Validates tolerations that are written as JSON. Source: ValidateTolerationsInPodAnnotations. */
function checkToleratedTaints(annotations: Place): void {
  const text = textOf(entryAt(annotations, tolerationsKey));
  if (text === '') return;
  try {
    checkTolerations({ ...annotations, path: `${annotations.path}.${tolerationsKey}`, value: unstructuredOf(readJson(text)) });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    addInvalid(annotations, error.message, tolerationsKey);
  }
}

/**
 * Validates that annotations and fields of the same meaning agree. Source: validateSeccompAnnotationsAndFields and its AppArmor
 * counterpart.
 */
export function checkProfilesMatch(annotations: Place, spec: Place): void {
  const pairs = [
    [at(spec, 'securityContext', 'seccompProfile'), textAt(annotations, seccompPod)],
    ...allContainers(spec).map(
      container =>
        [
          at(container, 'securityContext', 'seccompProfile'),
          textAt(annotations, `${seccompContainer}${textAt(container, 'name')}`),
        ] as const,
    ),
  ] as const;
  for (const [profile, annotation] of pairs) if (annotation !== '' && isSet(profile)) compareProfile(profile, annotation, 'seccomp');
  if (operatingSystem(spec) === 'windows') return;
  const ofPod = at(spec, 'securityContext', 'appArmorProfile');
  for (const container of allContainers(spec)) {
    const own = at(container, 'securityContext', 'appArmorProfile');
    const annotation = textAt(annotations, `${appArmor}${textAt(container, 'name')}`);
    const profile = isSet(own) ? own : ofPod;
    if (annotation !== '' && isSet(profile)) compareProfile({ ...profile, path: own.path }, annotation, 'apparmor');
  }
}

function isInt32(text: string): boolean {
  return /^(0|-?[1-9][0-9]*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}

function checkSeccomp(annotation: Place): void {
  const profile = textOf(annotation);
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return;
  if (profile.startsWith('localhost/')) checkDescendingPath({ ...annotation, value: profile.slice('localhost/'.length) });
  else addInvalid(annotation, 'must be a valid seccomp profile');
}

function checkAppArmor(annotation: Place, containerName: string, spec: Place): void {
  if (!allContainers(spec).some(container => textAt(container, 'name') === containerName))
    addInvalid(annotation, 'container not found', containerName);
  const profile = textOf(annotation);
  if (!['', 'runtime/default', 'unconfined'].includes(profile) && !profile.startsWith('localhost/'))
    addInvalid(annotation, `invalid AppArmor profile name: ${quote(profile)}`);
}

function compareProfile(profile: Place, annotation: string, called: 'seccomp' | 'apparmor'): void {
  const names: Readonly<Record<string, readonly string[]>> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: called === 'seccomp' ? ['runtime/default', 'docker/default'] : ['runtime/default'],
  };
  const type = textAt(profile, 'type');
  const accepted = names[type];
  if (accepted !== undefined && !accepted.includes(annotation))
    addForbidden(at(profile, 'type'), `${called} type in annotation and field must match`);
  if (type !== 'Localhost') return;
  if (!annotation.startsWith('localhost/')) addForbidden(at(profile, 'type'), `${called} type in annotation and field must match`);
  else if (!hasSet(profile, 'localhostProfile') || annotation.slice('localhost/'.length) !== textAt(profile, 'localhostProfile'))
    addForbidden(at(profile, 'localhostProfile'), `${called} profile in annotation and field must match`);
}

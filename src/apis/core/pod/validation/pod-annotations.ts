import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkDescendingPath } from '../../../../apiserver/registry/validation/rules.js';
import { unstructuredOf } from '../../../../encoding/unstructured.js';
import { readJson } from '../../../../go/json/reader.js';
import { JsonSyntaxError } from '../../../../go/json/syntax-error.js';
import { ownMember } from '../../../../go/own-members.js';
import { quote } from '../../../../go/quote.js';
import { appArmorPrefix } from './app-armor.js';
import { operatingSystem } from './pod-context.js';
import { allContainers } from './pod-spec.js';
import { checkTolerations } from './scheduling.js';

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';

/** Validates the annotations with a meaning for pods. Source: ValidatePodSpecificAnnotations. */
export function checkPodAnnotations(annotations: FieldPath, spec: FieldPath): void {
  const mirror = annotations.key('kubernetes.io/config.mirror');
  if (mirror.isSet() && spec.text('nodeName') === '') mirror.invalid('must set spec.nodeName if mirror pod annotation is set');
  checkToleratedTaints(annotations);
  const cost = annotations.key('controller.kubernetes.io/pod-deletion-cost');
  if (cost.isSet() && !isInt32(cost.text())) cost.invalid('must be a 32bit integer');
  const keys = [...annotations.members().keys()];
  if (keys.includes(seccompPod)) checkSeccomp(annotations.child(seccompPod));
  for (const key of keys.filter(k => k.startsWith(seccompContainer))) checkSeccomp(annotations.child(key));
  for (const key of keys.filter(k => k.startsWith(appArmorPrefix)))
    checkAppArmor(annotations.key(key), key.slice(appArmorPrefix.length), spec);
}

const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';

/** Validates tolerations that are written as JSON. Source: ValidateTolerationsInPodAnnotations. */
function checkToleratedTaints(annotations: FieldPath): void {
  const text = annotations.key(tolerationsKey).text();
  if (text === '') return;
  try {
    checkTolerations(annotations.shownAt(`${annotations.path}.${tolerationsKey}`).withValue(unstructuredOf(readJson(text))));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    annotations.invalid(tolerationsKey, error.message);
  }
}

/**
 * Validates that annotations and fields of the same meaning agree. Source: validateSeccompAnnotationsAndFields and its AppArmor
 * counterpart.
 */
export function checkProfilesMatch(annotations: FieldPath, spec: FieldPath): void {
  const agree = (profile: FieldPath, key: string, called: 'seccomp' | 'apparmor'): void => {
    if (profile.isSet() && annotations.has(key)) compareProfile(profile, annotations.text(key), called);
  };
  agree(spec.child('securityContext', 'seccompProfile'), seccompPod, 'seccomp');
  for (const container of allContainers(spec))
    agree(container.child('securityContext', 'seccompProfile'), `${seccompContainer}${container.text('name')}`, 'seccomp');
  if (operatingSystem(spec) === 'windows') return;
  const ofPod = spec.child('securityContext', 'appArmorProfile');
  for (const container of allContainers(spec)) {
    const own = container.child('securityContext', 'appArmorProfile');
    const profile = own.isSet() ? own : ofPod;
    agree(profile.shownAt(own.path), `${appArmorPrefix}${container.text('name')}`, 'apparmor');
  }
}

function isInt32(text: string): boolean {
  return /^(0|-?[1-9][0-9]*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}

function checkSeccomp(annotation: FieldPath): void {
  const profile = annotation.text();
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return;
  if (profile.startsWith('localhost/')) checkDescendingPath(annotation.withValue(profile.slice('localhost/'.length)));
  else annotation.invalid('must be a valid seccomp profile');
}

function checkAppArmor(annotation: FieldPath, containerName: string, spec: FieldPath): void {
  if (!allContainers(spec).some(container => container.text('name') === containerName))
    annotation.invalid(containerName, 'container not found');
  const profile = annotation.text();
  if (!['', 'runtime/default', 'unconfined'].includes(profile) && !profile.startsWith('localhost/'))
    annotation.invalid(`invalid AppArmor profile name: ${quote(profile)}`);
}

function compareProfile(profile: FieldPath, annotation: string, called: 'seccomp' | 'apparmor'): void {
  const names: Readonly<Record<string, readonly string[]>> = {
    Unconfined: ['unconfined'],
    RuntimeDefault: called === 'seccomp' ? ['runtime/default', 'docker/default'] : ['runtime/default'],
  };
  const type = profile.text('type');
  const accepted = ownMember(names, type);
  if (accepted !== undefined && !accepted.includes(annotation))
    profile.child('type').forbidden(`${called} type in annotation and field must match`);
  if (type !== 'Localhost') return;
  if (!annotation.startsWith('localhost/')) profile.child('type').forbidden(`${called} type in annotation and field must match`);
  else if (!profile.has('localhostProfile') || annotation.slice('localhost/'.length) !== profile.text('localhostProfile'))
    profile.child('localhostProfile').forbidden(`${called} profile in annotation and field must match`);
}

import { goString } from '../../go/json/write.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import { memoizeInside } from '../../kubernetes/memoize.js';
import type { Attributes } from '../admission/attributes.js';
import type { ApiObject } from '../objects/api-object.js';
import type { WebhookInvocation } from './select.js';
import type { VersionedObjects } from './versioned-request.js';

export type ReviewVersion = 'v1' | 'v1beta1';

/**
 * Returns the first version of the list that the API server knows; undefined when there is none. Source: webhook/request
 * CreateAdmissionObjects.
 */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((v): v is ReviewVersion => v === 'v1' || v === 'v1beta1');
}

/** Content of a review besides the attributes: webhook, uid, and the objects in the webhook's version. */
export interface ReviewInput {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly invocation: WebhookInvocation;
  readonly objects: VersionedObjects;
}

/**
 * Returns the request body for the webhook, byte for byte, with the trailing newline. Source: apiserver
 * plugin/webhook/request/admissionreview.go, k8s.io/api/admission.
 */
export function writeReview(attributes: Attributes, input: ReviewInput): string {
  const { invocation } = input;
  const members = [
    `"uid":${goString(input.uid)}`,
    `"kind":${writeKind(invocation.kind)}`,
    `"resource":${writeResource(invocation.resource)}`,
    unlessEmpty('subResource', invocation.subresource),
    `"requestKind":${writeKind(attributes.kind)}`,
    `"requestResource":${writeResource(attributes.resource)}`,
    unlessEmpty('requestSubResource', attributes.subresource),
    unlessEmpty('name', attributes.name),
    unlessEmpty('namespace', attributes.namespace),
    `"operation":${goString(attributes.operation)}`,
    `"userInfo":${writeUserInfo(attributes.user)}`,
    writeObjects(input.objects),
    `"dryRun":${attributes.dryRun}`,
    `"options":${writeObject(attributes.options)}`,
  ];
  return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${input.version}","request":${writeMembers(members)}}\n`;
}

function writeMembers(members: readonly string[]): string {
  return `{${members.filter(member => member !== '').join(',')}}`;
}

/** Returns a member with its name; none for an empty string. */
function unlessEmpty(name: string, text: string): string {
  return text === '' ? '' : `"${name}":${goString(text)}`;
}

function writeKind({ group, version, kind }: GroupVersionKind): string {
  return `{"group":${goString(group)},"version":${goString(version)},"kind":${goString(kind)}}`;
}

function writeResource({ group, version, resource }: GroupVersionResource): string {
  return `{"group":${goString(group)},"version":${goString(version)},"resource":${goString(resource)}}`;
}

/** All webhooks that are called with the same objects get the same text. */
const writeObjects = memoizeInside(
  ({ object, oldObject }: VersionedObjects) => `"object":${writeObject(object)},"oldObject":${writeObject(oldObject)}`,
);

function writeObject(object: ApiObject | undefined): string {
  return object === undefined ? 'null' : object.codec.encode(object.value);
}

function writeUserInfo({ username, uid, groups, extra }: UserInfo): string {
  const written = [...extra].map(([key, values]) => `${goString(key)}:${writeStrings(values)}`);
  return writeMembers([
    unlessEmpty('username', username),
    unlessEmpty('uid', uid),
    groups.length === 0 ? '' : `"groups":${writeStrings(groups)}`,
    extra.size === 0 ? '' : `"extra":{${written.join(',')}}`,
  ]);
}

function writeStrings(values: readonly string[]): string {
  return `[${values.map(goString).join(',')}]`;
}

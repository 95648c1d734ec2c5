import type { KnownError } from './known-error.js';

const conflicts = String.raw`^Apply failed with \d+ conflicts?: `;
const typed = String.raw`^(?:failed to create typed patch object(?: \((?<object>[^)]*)\))?: )?(?:errors:\s*)?`;

/** Errors of server-side apply. Source: apimachinery managedfields, structured-merge-diff. */
export const applyErrors: readonly KnownError[] = [
  {
    id: 'apply-conflict-ca-bundle',
    fault: 'manifest',
    text: new RegExp(`${conflicts}.*?conflicts? with "(?<manager>[^"]*)"(?:(?!conflicts? with ").)*?\\.caBundle`, 's'),
    why: 'the field manager {manager} owns caBundle: it writes the CA into it, and the manifest sets it to something else',
    try: 'leave caBundle out of the manifest, also a placeholder such as Cg==; in Helm and Argo CD ignore the field; --force-conflicts would overwrite the CA until it is injected again',
    command: ['kubectl', 'get', 'KIND', 'NAME', '-o', 'yaml', '--show-managed-fields'],
  },
  {
    id: 'apply-conflict-replicas',
    fault: 'manifest',
    text: new RegExp(
      `${conflicts}conflicts? with "(?<manager>kube-controller-manager|[^"]*)" with subresource "scale".*?\\.spec\\.replicas`,
      's',
    ),
    why: '{manager} scales the object (an autoscaler, or kubectl scale), so it owns spec.replicas, which the manifest also sets',
    try: 'leave spec.replicas out of the manifest',
    command: ['kubectl', 'get', 'KIND', 'NAME', '-o', 'yaml', '--show-managed-fields'],
  },
  {
    id: 'apply-conflict',
    fault: null,
    text: new RegExp(`${conflicts}conflicts? with "(?<manager>[^"]*)".*?conflicts? with "(?!\\k<manager>")(?<other>[^"]*)"`, 's'),
    why: 'other field managers, {manager} and {other}, own fields that the manifest sets to other values',
    try: 'leave the fields to their managers and out of the manifest, or take them over with --force-conflicts if only this manifest should set them',
    command: ['kubectl', 'get', 'KIND', 'NAME', '-o', 'yaml', '--show-managed-fields'],
  },
  {
    id: 'apply-conflict-client-side',
    fault: null,
    text: new RegExp(`${conflicts}conflicts? with "(?<manager>kubectl-client-side-apply|kubectl-create|before-first-apply)"`, 's'),
    why: 'the fields belong to {manager}: the object was created without server-side apply before',
    try: 'take them over once: kubectl apply --server-side --force-conflicts',
    command: ['kubectl', 'get', 'KIND', 'NAME', '-o', 'yaml', '--show-managed-fields'],
  },
  {
    id: 'apply-conflict',
    fault: null,
    text: new RegExp(`${conflicts}conflicts? with "(?<manager>[^"]*)"`, 's'),
    why: 'another field manager, {manager}, owns fields that the manifest sets to other values',
    try: 'leave the fields to {manager} and out of the manifest, or take them over with --force-conflicts if only this manifest should set them',
    command: ['kubectl', 'get', 'KIND', 'NAME', '-o', 'yaml', '--show-managed-fields'],
  },
  {
    id: 'duplicate-keys',
    fault: 'manifest',
    text: new RegExp(`${typed}(?<field>\\S*): duplicate entries for key (?<key>\\[[^\\]]*\\])`, 's'),
    why: 'the manifest has two entries with the key {key} in {field}',
    try: 'remove one of them: server-side apply needs unique keys, unlike create and update',
  },
  {
    id: 'undeclared-field-in-comparison',
    fault: null,
    text: /^error building typed (?:results|value from (?:config|live) resource): (?:error creating typed(?:Live|Config): )?(?:errors:\s*)?(?<field>\.\S*): field not declared in schema/,
    why: 'Argo CD compares the object with a schema that does not have {field}: its own list of built-in kinds is older than the cluster, or a definition has changed since it was read',
    try: 'update Argo CD, restart its application controller, or compare with argocd.argoproj.io/compare-options: ServerSideDiff=true',
    command: ['kubectl', 'explain', 'RESOURCE.PATH', '--api-version=GROUP/VERSION'],
  },
  {
    id: 'key-missing',
    fault: null,
    text: new RegExp(
      `${typed}(?:error creating typed(?:Live|Config): )?(?<field>\\.\\S*): element (?<index>\\d+): associative list with keys has an element that omits key field "(?<key>[^"]*)"`,
      's',
    ),
    why: 'the element {index} of {field} has no {key}, which is part of the key of this list and has no default',
    try: 'set {key} in every element',
  },
  {
    id: 'undeclared-field',
    fault: null,
    text: new RegExp(`${typed}(?<field>\\S*): field not declared in schema`, 's'),
    why: 'the field {field} is not in the schema of the version that it is applied in',
    try: 'correct the field or the apiVersion; if the manifest is right, the definition in the cluster is older, or the object is converted between versions with different fields (no conversion, or managed fields of an old version)',
    command: ['kubectl', 'explain', 'RESOURCE.PATH', '--api-version=GROUP/VERSION'],
  },
  {
    id: 'typed-wrong-type',
    fault: null,
    text: new RegExp(`${typed}(?<field>\\.\\S*): expected (?<wanted>[^,]*), got (?<got>.*)`, 's'),
    why: 'the field {field} must be a {wanted}',
    try: 'correct the type of the value in the manifest',
  },
  {
    id: 'typed-live-object',
    fault: null,
    text: /^failed to create typed live object/,
    why: 'the stored object, not the applied one, does not fit the schema of the version in which it is applied',
    try: 'compare the stored object with the schema; correct it with an update, or correct the conversion of the definition',
    command: ['kubectl', 'get', 'KIND', 'NAME', '-o', 'yaml', '--show-managed-fields'],
  },
  {
    id: 'managed-fields-sent',
    fault: 'manifest',
    text: /^metadata\.managedFields must be nil/,
    why: 'the manifest of a server-side apply contains metadata.managedFields',
    try: 'remove metadata.managedFields from the manifest: it was copied from a stored object',
  },
  {
    id: 'typed-patch',
    fault: null,
    isGeneral: true,
    text: /^failed to create (?:typed patch object|manager for existing fields|typed)/,
    why: 'the object cannot be compared with its schema for server-side apply',
    try: 'read the field after the colon; the text does not tell whether the manifest, a conversion or the stored object is wrong',
  },
];

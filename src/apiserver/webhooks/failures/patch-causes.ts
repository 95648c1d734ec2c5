import type { FailureCause } from './cause.js';

const atApply = ['apply'] as const;

/** Suggestion for a patch that was parsed and cannot be applied: no failure policy ignores that. */
const applyTry = 'check the object that was sent: webhook-cli request';

/** Causes for an invalid patch, or one that does not fit the object. Source: apiserver mutating/dispatcher.go, evanphx/json-patch v4. */
export const patchCauses: readonly FailureCause[] = [
  {
    id: 'patch-type',
    class: 'patch',
    fault: 'webhook',
    text: /^unsupported patch type "(?<type>[^"]*)"/,
    why: 'the API server does not support patchType {type}; it is case-sensitive',
    try: 'send patchType: JSONPatch',
  },
  {
    id: 'patch-unreadable',
    class: 'patch',
    fault: 'webhook',
    text: /^(?:invalid character|json: cannot unmarshal|unexpected end of JSON input)/,
    stages: ['patch'],
    needsContext: true,
    why: 'response.patch is not a JSON Patch',
    try: 'send a list of operations (RFC 6902): [{"op": "add", "path": "/metadata/labels/a", "value": "b"}]',
  },
  {
    id: 'patch-on-deletion',
    class: 'patch',
    fault: 'webhook',
    text: /^admission webhook "(?<webhook>[^"]*)" attempted to modify the object/,
    why: 'the webhook sent a patch for a DELETE request',
    try: 'send no patch when request.operation is DELETE',
  },
  {
    id: 'patch-path-unescaped',
    class: 'patch',
    fault: 'webhook',
    text: /^add operation does not apply: doc is missing path: "(?<parent>\/(?:[^"/]+\/)*(?:annotations|labels))\/(?<prefix>[^"/]*\.[^"/]*)\/(?<name>[^"/]+)"/,
    why: 'the patch adds {parent}/{prefix}/{name}, in which every / starts another level',
    try: 'write / in a key as ~1: {parent}/{prefix}~1{name}',
  },
  {
    id: 'patch-parent-missing',
    class: 'patch',
    fault: 'webhook',
    // Releases before v1.18 had no quotes.
    text: /^add operation does not apply: doc is missing path: "?(?<path>[^"\s]*)"?/,
    why: 'the patch adds {path}, but its parent does not exist',
    try: 'add the parent first if it is missing, such as /metadata/labels with an empty object',
  },
  {
    id: 'patch-test',
    class: 'patch',
    fault: 'webhook',
    text: /^(?:testing value (?<path>.*) failed: test failed|test operation does not apply)/,
    why: 'a test operation of the patch found another value',
    try: applyTry,
  },
  {
    id: 'patch-place-missing',
    class: 'patch',
    fault: 'webhook',
    text: /^(?:(?:copy|move|remove|replace) operation does not apply: |error in (?:add|copy|move|remove|replace|test) for (?:path|from): |error while adding value during copy: |replace operation value must be object or array)/,
    why: 'the patch refers to a path that the object does not have',
    try: applyTry,
  },
  {
    id: 'patch-operation',
    class: 'patch',
    fault: 'webhook',
    text: /^(?:Unexpected kind:|(?:add|copy|move|remove|replace|test) operation failed to decode)/,
    why: 'an operation of the patch is not defined in RFC 6902, or lacks a member',
    try: 'give every operation op, path, and value or from if it needs them',
  },
  {
    id: 'patch-copies-too-much',
    class: 'patch',
    fault: 'webhook',
    text: /^Unable to complete the copy, the accumulated size increase of copy is (?<size>\d+), exceeding the limit (?<limit>\d+)/,
    why: 'the copy operations of the patch add {size} bytes, more than the limit of {limit}',
    try: 'copy less',
  },
  {
    id: 'patched-wrong-type',
    class: 'patch',
    fault: 'webhook',
    text: /^json: cannot unmarshal (?<found>\S+)(?: \S+)? into Go struct field (?<field>\S+) of type (?<type>.*)/,
    stages: atApply,
    needsContext: true,
    why: 'the patch sets {field} to a {found}, but it must be {type}',
    try: 'correct the type of the value in the patch',
  },
  {
    id: 'patched-kind',
    class: 'patch',
    fault: 'webhook',
    text: /^(?:Object 'Kind' is missing|couldn't get version\/kind|no kind "|converting \()/,
    stages: atApply,
    needsContext: true,
    why: 'the patch removes or changes kind or apiVersion',
    try: 'do not change kind and apiVersion',
  },
  {
    id: 'patched-undecodable',
    class: 'patch',
    fault: 'webhook',
    text: /^(?:json: |illegal base64 data|quantities must match|parsing time |time: |unable to parse)/,
    stages: atApply,
    needsContext: true,
    why: 'the patched object cannot be decoded',
    try: applyTry,
  },
];

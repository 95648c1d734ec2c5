import { quote } from '../../../../go/quote.js';
import { parseRequestUri, UrlError } from '../../../../go/url/parse.js';
import { stringAt, type ValueMap } from '../../../../go/value.js';
import { type FieldError, invalidValue, required } from '../../../../kubernetes/field-error.js';

const annotation = 'api-approved.kubernetes.io';
const path = `metadata.annotations[${annotation}]`;
const seeAlso = 'see https://github.com/kubernetes/enhancements/pull/1111';

/**
 * Returns the errors of a definition in a group of the Kubernetes community, which requires an approval. An update may keep a missing one.
 * Source: apiextensions-apiserver validation.go validateAPIApproval, apihelpers GetAPIApprovalState.
 */
export function approvalErrors(definition: ValueMap, old: ValueMap | undefined): FieldError[] {
  const approval = approvalOf(definition);
  if (approval === undefined) return [];
  const { state, message } = approval;
  if (old !== undefined && approvalOf(old)?.state === state) return [];
  if (state === 'missing') return [required(path, message)];
  return state === 'invalid' ? [invalidValue(path, approvalTextOf(definition), message)] : [];
}

/** Approval of a definition's group, and why it is in this state. */
export interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly message: string;
}

/** Returns the approval that a definition declares; undefined for a group that needs none. Source: apihelpers GetAPIApprovalState. */
export function approvalOf(definition: ValueMap): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(stringAt(definition, 'spec', 'group'))) return undefined;
  const text = approvalTextOf(definition);
  const rule = `protected groups must have approval annotation "${annotation}"`;
  if (text === '') return { state: 'missing', message: `${rule}, ${seeAlso}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${quote(text)}` };
  if (isAbsoluteUrl(text)) return { state: 'approved', message: `approved in ${text}` };
  return { state: 'invalid', message: `${rule} with either a URL or a reason starting with "unapproved", ${seeAlso}` };
}

/** Returns the annotation with the approval; empty if there is none. */
export function approvalTextOf(definition: ValueMap): string {
  return stringAt(definition, 'metadata', 'annotations', annotation);
}

function isAbsoluteUrl(text: string): boolean {
  try {
    const { scheme, host } = parseRequestUri(text);
    return scheme !== '' && host !== '';
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

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
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(stringAt(definition, 'spec', 'group'))) return [];
  const state = approvalOf(definition);
  if (old !== undefined && approvalOf(old) === state) return [];
  if (state === 'missing') return [required(path, `protected groups must have approval annotation "${annotation}", ${seeAlso}`)];
  if (state !== 'invalid') return [];
  const message = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", ${seeAlso}`;
  return [invalidValue(path, stringAt(definition, 'metadata', 'annotations', annotation), message)];
}

function approvalOf(definition: ValueMap): 'missing' | 'bypassed' | 'approved' | 'invalid' {
  const text = stringAt(definition, 'metadata', 'annotations', annotation);
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  return isAbsoluteUrl(text) ? 'approved' : 'invalid';
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

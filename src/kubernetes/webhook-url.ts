import { parseUrl, UrlError } from '../go/url/parse.js';
import { type Url, userText } from '../go/url/url.js';
import { type FieldError, invalidValue, required } from './field-error.js';

const form = '; desired format: https://host[/path]';

/** Validates the URL of a webhook's client configuration. Source: apiserver util/webhook/validation.go ValidateWebhookURL. */
export function webhookUrlErrors(text: string, field: string): FieldError[] {
  const url = parsedClientUrl(text);
  if (url instanceof UrlError) return [required(field, `url must be a valid URL: ${url.message}${form}`)];
  const errors: FieldError[] = [];
  const wrong = (part: string, detail: string): void => {
    errors.push(invalidValue(field, part, detail));
  };
  if (url.scheme !== 'https') wrong(url.scheme, `'https' is the only allowed URL scheme${form}`);
  if (url.host === '') wrong('', `host must be specified${form}`);
  if (url.user !== undefined) wrong(userText(url.user), 'user information is not permitted in the URL');
  if (url.fragment !== '') wrong(url.fragment, 'fragments are not permitted in the URL');
  if (url.rawQuery !== '') wrong(url.rawQuery, 'query parameters are not permitted in the URL');
  return errors;
}

function parsedClientUrl(text: string): Url | UrlError {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

/** The text is no YAML, or holds what JSON cannot; the message is Go's, with `yaml: ` where Go says it. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

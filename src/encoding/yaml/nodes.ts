/** Node of a document, with unresolved scalars. Lines and columns count from 0. */
export type YamlNode = YamlScalarNode | SequenceNode | MappingNode | AliasNode;

export interface YamlScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly column: number;
  /** Empty, `!`, or the whole tag: `tag:yaml.org,2002:str`. */
  readonly tag: string;
  readonly value: string;
  /** Neither quoted nor tagged: the value alone decides. A lone `!` counts as no tag. */
  readonly implicit: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly column: number;
  readonly items: YamlNode[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly column: number;
  readonly pairs: { readonly key: YamlNode; readonly value: YamlNode }[];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly target: YamlScalarNode | SequenceNode | MappingNode;
}

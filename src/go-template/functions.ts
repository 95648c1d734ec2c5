import type { TemplateValue } from './values.js';

/** Type of a parameter. `value` accepts anything, including no value. */
export type Parameter = 'any' | 'value' | 'string' | 'int' | 'float' | 'bool' | 'map' | 'stringMap' | 'list' | { readonly struct: string };

/** A function that templates can call. */
export interface GoFunction {
  readonly parameters: readonly Parameter[];
  /** The last parameter is variadic. */
  readonly variadic: boolean;
  /** Throws an Error with Go's message. */
  readonly call: (...args: TemplateValue[]) => TemplateValue;
}

export type TemplateFunctions = ReadonlyMap<string, GoFunction>;

/** Creates a function with these parameters; `...` after the last one makes it variadic. */
export function goFunction(parameters: readonly (Parameter | '...')[], call: (...args: TemplateValue[]) => TemplateValue): GoFunction {
  return { parameters: parameters.filter(parameter => parameter !== '...'), variadic: parameters.includes('...'), call };
}

/** Returns a parameter's type as Go prints it. */
export function parameterType(parameter: Parameter): string {
  if (typeof parameter === 'object') return parameter.struct;
  const names = {
    any: 'interface {}',
    value: 'reflect.Value',
    string: 'string',
    int: 'int',
    float: 'float64',
    bool: 'bool',
    map: 'map[string]interface {}',
    stringMap: 'map[string]string',
    list: '[]interface {}',
  } as const;
  return names[parameter];
}

import type { GoValue } from './values.js';

/** The type of a parameter. `value` takes anything, also nothing. */
export type Parameter = 'any' | 'value' | 'string' | 'int' | 'float' | 'bool' | 'map' | 'stringMap' | 'list' | { readonly struct: string };

/** A function that templates can call. */
export interface GoFunction {
  readonly parameters: readonly Parameter[];
  /** The last parameter may come any number of times. */
  readonly variadic: boolean;
  /** Throws an Error whose message Go's would be. */
  readonly call: (...args: GoValue[]) => GoValue;
}

export type Functions = ReadonlyMap<string, GoFunction>;

/** A function of these parameters; `...` after the last makes it variadic. */
export function goFunction(parameters: readonly (Parameter | '...')[], call: (...args: GoValue[]) => GoValue): GoFunction {
  return { parameters: parameters.filter(parameter => parameter !== '...'), variadic: parameters.includes('...'), call };
}

/** A parameter's type as Go prints it. */
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

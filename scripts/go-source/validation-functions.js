// Reads the functions of declarative validation that Kubernetes generates from the +k8s: tags of its types (zz_generated.validations.go), as
// steps for src/apiserver/registry/declarative:
//
//   ["field", MEMBER, FLAGS, STEPS]   the steps of a member; null is an embedded struct. Flags: r: unchanged values are skipped; n: the type has a name
//   ["type", STRUCT]                  the steps of a type, core/v1.Toleration
//   ["cohort", STEPS]                 steps whose failure ends only these
//   [VALIDATOR, MARKS, ...ARGUMENTS]  a validator. Marks: a, b: alpha, beta; s: its failure ends the steps; q: the failure itself is not reported

/** Returns a reader of the generated file of a package. `jsonName(struct, member)` returns the JSON name of a Go field. */
export function readValidationFunctions(source, { packageName, packageOf, constantOf, jsonName }) {
  const parser = newParser(tokensOf(source));
  const variables = new Map();
  for (const [, name, value] of source.matchAll(/^var (\w+) = (.*)$/gm)) variables.set(name, expressionOf(value));
  const context = { packageName, packageOf, constantOf, jsonName, variables };
  const functions = {};
  while (!parser.ends()) {
    if (parser.takes('func') && /^Validate_/.test(parser.peek())) {
      const name = parser.next().slice('Validate_'.length);
      const parameters = parser.parameters();
      parser.skipTo('{');
      functions[`${packageName}.${name}`] = stepsOf(parser.block(), { ...context, struct: structOf(parameters, context) });
    } else parser.next();
  }
  return functions;
}

/** Paths of subresources, by the registered type: `/` is the resource itself. */
export function registeredTypes(source, packageName) {
  const found = {};
  for (const [, type, body] of source.matchAll(/scheme\.AddValidationFunc\(\s*\(\*\w+\.(\w+)\)\(nil\),([\s\S]*?)\n\t+\}\)/g)) {
    const paths = /case ([^:]*):/.exec(body)?.[1].match(/"[^"]*"/g) ?? [];
    found[`${packageName}.${type}`] = paths.map(path => JSON.parse(path));
  }
  return found;
}

function tokensOf(source) {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*/g, (_, text) => text ?? '')
    .match(/"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|:=|==|!=|&&|\|\||\.\.\.|\S/g);
}

function newParser(tokens) {
  let at = 0;
  const parser = {
    ends: () => at >= tokens.length,
    peek: (ahead = 0) => tokens[at + ahead],
    next: () => tokens[at++],
    takes: token => {
      if (tokens[at] !== token) return false;
      at += 1;
      return true;
    },
    skipTo: token => {
      while (tokens[at] !== token) at += 1;
    },
    /** The tokens in brackets that begin here, without them. */
    block: () => {
      const closing = { '(': ')', '{': '}', '[': ']' }[tokens[at]];
      if (closing === undefined) throw new Error(`no bracket but ${tokens.slice(at, at + 10).join(' ')}`);
      const start = at + 1;
      let depth = 0;
      do {
        if ('({['.includes(tokens[at])) depth += 1;
        if (')}]'.includes(tokens[at])) depth -= 1;
        at += 1;
      } while (depth > 0);
      return tokens.slice(start, at - 1);
    },
    parameters: () => parser.block(),
  };
  return parser;
}

/** Statements of a function as steps. */
function stepsOf(tokens, context) {
  const parser = newParser(tokens);
  const steps = [];
  while (!parser.ends()) {
    const token = parser.peek();
    if (token === '{') steps.push(fieldStep(parser.block(), context));
    else if (token === 'func') {
      parser.next();
      parser.block();
      const inner = stepsOf(parser.block(), context);
      parser.block();
      if (inner.length > 0) steps.push(['cohort', inner]);
    } else if (token === 'if') steps.push(...ifSteps(parser, context));
    else if (token === 'errs' && parser.peek(1) === '=') steps.push(...appended(parser, context));
    else if (token === 'return') steps.push(...returned(parser, context));
    else if (token === 'earlyReturn' || token === 'errs') skipDeclaration(parser);
    else if (token === ';') parser.next();
    else throw new Error(`unknown statement in ${context.struct}: ${tokens.slice(0, 40).join(' ')}`);
  }
  return steps;
}

/** `earlyReturn := false`, `errs := field.ErrorList{}`. */
function skipDeclaration(parser) {
  if (parser.next() === 'earlyReturn') {
    parser.next();
    parser.next();
  } else {
    parser.skipTo('{');
    parser.block();
  }
}

function ifSteps(parser, context) {
  parser.next();
  const condition = [];
  while (parser.peek() !== '{' || isOpen(condition)) condition.push(parser.next());
  const body = parser.block();
  if (condition[0] !== 'e') return [];
  const end = lastIndexOf(condition, ';');
  const call = callOf(condition.slice(2, end), context);
  return call === undefined ? [] : [marked(call, body)];
}

/** A function literal in a condition has braces of its own. */
function isOpen(tokens) {
  let depth = 0;
  for (const token of tokens) depth += '(['.includes(token) ? 1 : ')]'.includes(token) ? -1 : 0;
  return depth > 0;
}

/** Up to v1.36 only the body says that a failure ends the steps. */
function marked([name, marks, ...rest], body) {
  const isEnding = body.includes('earlyReturn') && !marks.includes('s');
  return [name, `${marks}${isEnding ? 's' : ''}${body.includes('append') ? '' : 'q'}`, ...rest];
}

/** `errs = append(errs, CALL...)`, up to v1.36 also with the function of a member, which is called where it stands. */
function appended(parser, context) {
  parser.next();
  parser.next();
  parser.next();
  const inner = parser.block();
  if (inner[2] === 'func') return [fieldStep(inner, context)];
  const call = callOf(inner.slice(2, inner.at(-1) === '...' ? -1 : undefined), context);
  return call === undefined ? [] : [call];
}

function returned(parser, context) {
  parser.next();
  if (parser.ends() || parser.peek() === 'errs' || parser.peek() === 'nil') {
    if (!parser.ends()) parser.next();
    return [];
  }
  if (parser.peek() !== 'validate' && !/^Validate/.test(parser.peek()) && !/^\w+$/.test(parser.peek())) return [];
  const rest = [];
  while (!parser.ends()) rest.push(parser.next());
  const call = callOf(rest, context);
  return call === undefined ? [] : [call];
}

function fieldStep(tokens, context) {
  const text = tokens.join(' ');
  const parser = newParser(tokens);
  parser.skipTo('func');
  parser.next();
  const parameters = parser.block();
  parser.skipTo('{');
  const body = parser.block();
  const struct = structOf(parameters, context);
  const steps = stepsOf(body, { ...context, struct });
  const isRatcheted = body.join(' ').includes('oldValueCorrelated && op . Type');
  const name = /(?:fn|\}) \( fldPath \. Child \( ("(?:[^"\\]|\\.)*") \)/.exec(text)?.[1];
  return ['field', name === undefined ? null : JSON.parse(name), `${isRatcheted ? 'r' : ''}${hasOwnType(parameters) ? 'n' : ''}`, steps];
}

/** `core/v1.Toleration` of parameters that end with `obj, oldObj *corev1.Toleration`. */
function structOf(parameters, { packageOf, packageName }) {
  const text = parameters.join('');
  const found = /obj,oldObj[*[\]]*(?:map\[[\w.]+\])?\*?([\w.]+)/.exec(text)?.[1] ?? '';
  if (!found.includes('.')) return `${packageName}.${found}`;
  const [prefix, name] = found.split('.');
  return `${packageOf(prefix)}.${name}`;
}

function hasOwnType(parameters) {
  return /obj,oldObj\*\w+\./.test(parameters.join(''));
}

/** `validate.X(...).MarkBeta()` or `Validate_T(...)` as a step. */
function callOf(tokens, context) {
  const { name, args, marks } = expressionOf(tokens);
  const marksText = marks.map(mark => ({ MarkAlpha: 'a', MarkBeta: 'b', MarkShortCircuit: 's' })[mark] ?? '').join('');
  const type = /^(?:(\w+)\.)?Validate_(\w+)$/.exec(name);
  if (type !== null) return ['type', `${type[1] === undefined ? context.packageName : context.packageOf(type[1])}.${type[2]}`];
  const custom = /^(?:\w+\.)?ValidateCustom_(\w+)$/.exec(name);
  if (custom !== null) return ['Custom', marksText, custom[1]];
  if (!name.startsWith('validate.')) throw new Error(`unknown call ${name} in ${context.struct}`);
  return [name.slice('validate.'.length), marksText, ...argumentsOf(args.slice(5), context)];
}

function argumentsOf(args, context) {
  return args.map(tokens => argumentOf(tokens, context)).filter(value => value !== undefined);
}

function argumentOf(tokens, context) {
  const text = tokens.join('');
  if (tokens[0] === 'func') return functionOf(tokens, context);
  if (/^"/.test(tokens[0])) return tokens.length === 1 ? JSON.parse(tokens[0]) : undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text === 'nil') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  const quantity = /^resource\.MustParse\("([^"]*)"\)$/.exec(text);
  if (quantity !== null) return quantity[1];
  if (text === 'validate.DirectEqual' || text === 'validate.SemanticDeepEqual' || text === 'validate.DirectEqualPtr') return '=';
  const constraint = /^validate\.(No\w+)$/.exec(text);
  if (constraint !== null) return constraint[1];
  const variable = context.variables.get(text);
  if (variable !== undefined) return variableOf(variable, context);
  const validator = /^(?:validate\.(\w+))$/.exec(text);
  if (validator !== null) return [[validator[1], '']];
  if (/Validate_\w+$/.test(text)) return [callOf([...tokens, '(', ')'], context)];
  if (text.startsWith('[]validate.DiscriminatedRule')) return rulesOf(tokens, context);
  throw new Error(`unknown argument ${text.slice(0, 200)} in ${context.struct}`);
}

/** Members of a union, or values of an enum. */
function variableOf({ name, args }, context) {
  if (name === 'sets.New') return args.map(tokens => context.constantOf(tokens.join(''))).sort();
  const members = args.filter(tokens => tokens.length > 1).map(tokens => expressionOf(tokens).args.map(each => JSON.parse(each.join(''))));
  if (name === 'validate.NewUnionMembership') return members.map(([member]) => member);
  if (name === 'validate.NewDiscriminatedUnionMembership') return { discriminator: JSON.parse(args[0].join('')), members };
  throw new Error(`unknown variable ${name}`);
}

function rulesOf(tokens, context) {
  const parser = newParser(tokens);
  parser.skipTo('{');
  const inner = newParser(parser.block());
  const rules = [];
  while (!inner.ends()) {
    if (inner.peek() !== '{') {
      inner.next();
      continue;
    }
    const parts = splitAt(inner.block(), ',').filter(part => part.length > 0);
    const values = parts.map(part => (part[1] === ':' ? part.slice(2) : part));
    rules.push([JSON.parse(values[0].join('')), argumentOf(values[1], context)]);
  }
  return { rules };
}

/** A function literal: steps, keys to compare items by, or a member. */
function functionOf(tokens, context) {
  const parser = newParser(tokens.slice(1));
  const parameters = parser.block();
  const before = [];
  while (parser.peek() !== '{') before.push(parser.next());
  const body = parser.block();
  const text = body.join(' ');
  if (before.join('') === 'field.ErrorList' || parameters.join('').includes('fldPath'))
    return stepsOf(body, { ...context, struct: structOf(parameters, context) });
  const parameterStruct = structOf(['obj', ',', 'oldObj', ...parameters.slice(1)], context);
  const json = member => context.jsonName(parameterStruct, member);
  if (parameters.join('').startsWith('a')) {
    if (text === 'return a == b') return '=';
    return [...new Set([...text.matchAll(/a \. (\w+) ==/g)].map(([, member]) => member))].filter(member => member !== 'nil').map(json);
  }
  const item = /list \[ i \] \. (\w+) == ("[^"]*")/.exec(text);
  if (item !== null) return { item: context.jsonName(parameterStruct, item[1]), value: JSON.parse(item[2]) };
  const set = /return obj \. (\w+) != nil/.exec(text);
  if (set !== null) return { set: json(set[1]) };
  const long = /len \( obj \. (\w+) \) != 0/.exec(text);
  if (long !== null) return { set: json(long[1]) };
  const member = /(?:string \( )?\b(?:obj|o|oldObj) \. (\w+)/.exec(text);
  if (member !== null) return { member: json(member[1]) };
  throw new Error(`unknown function ${text} in ${context.struct}`);
}

/** `a.b(args).M1().M2()`: the name, the tokens of its arguments, and the names of the calls behind it. */
function expressionOf(given) {
  const tokens = typeof given === 'string' ? tokensOf(given) : given;
  const parser = newParser(tokens);
  let name = '';
  while (!parser.ends() && parser.peek() !== '(') name += parser.next();
  const args = parser.ends() ? [] : splitAt(parser.block(), ',').filter(part => part.length > 0);
  const marks = [];
  while (!parser.ends()) {
    const token = parser.next();
    if (/^\w+$/.test(token)) marks.push(token);
    else if (token === '(') continue;
  }
  return { name, args, marks };
}

function splitAt(tokens, separator) {
  const parts = [[]];
  let depth = 0;
  for (const token of tokens) {
    if ('({['.includes(token)) depth += 1;
    if (')}]'.includes(token)) depth -= 1;
    if (token === separator && depth === 0) parts.push([]);
    else parts.at(-1).push(token);
  }
  return parts;
}

function lastIndexOf(tokens, wanted) {
  let depth = 0;
  let found = tokens.length;
  for (const [i, token] of tokens.entries()) {
    if ('({['.includes(token)) depth += 1;
    if (')}]'.includes(token)) depth -= 1;
    if (token === wanted && depth === 0) found = i;
  }
  return found;
}

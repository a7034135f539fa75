/**
 * A zod schema as TypeScript-like text, followed by its checks beyond the type. Schemas in `names` are referred to by
 * name, except for the outermost one.
 */
export function describeSchema(schema, names = new Map()) {
  return describer(names)(schema, '');
}

function describer(names) {
  const describe = (schema, indent) => {
    const kind = kinds[schema._def.typeName];
    return kind ? kind(schema._def, indent, below) : schema._def.typeName.replace(/^Zod/, '').toLowerCase();
  };
  const below = (schema, indent) => names.get(schema) ?? describe(schema, indent);
  return describe;
}

const checked = (name) => (definition) => {
  const checks = definition.checks.map(({ kind, value, regex }) => `${kind}${suffix(value ?? regex)}`);
  return checks.length === 0 ? name : `${name} (${checks.join(', ')})`;
};
const suffix = (value) => (value === undefined ? '' : ` ${value}`);

const object = ({ shape, unknownKeys }, indent, below) => {
  const deeper = `${indent}  `;
  const lines = Object.entries(shape()).map(([name, value]) => `${deeper}${name}: ${below(value, deeper)};`);
  if (unknownKeys === 'passthrough') lines.push(`${deeper}…`);
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
};

const list = ({ type, minLength, maxLength }, indent, below) => {
  const bounds = [minLength && `min ${minLength.value}`, maxLength && `max ${maxLength.value}`].filter(
    Boolean,
  );
  return `${below(type, indent)}[]${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`;
};

const kinds = {
  ZodObject: object,
  ZodArray: list,
  ZodString: checked('string'),
  ZodNumber: checked('number'),
  ZodEnum: ({ values }) => values.map((value) => `'${value}'`).join(' | '),
  ZodLiteral: ({ value }) => JSON.stringify(value),
  ZodUnion: ({ options }, indent, below) => options.map((option) => below(option, indent)).join(' | '),
  ZodDiscriminatedUnion: ({ options }, indent, below) =>
    [...options.values()].map((option) => below(option, indent)).join(' | '),
  ZodRecord: ({ valueType }, indent, below) => `Record<string, ${below(valueType, indent)}>`,
  ZodOptional: ({ innerType }, indent, below) => `${below(innerType, indent)} | undefined`,
  ZodNullable: ({ innerType }, indent, below) => `${below(innerType, indent)} | null`,
  ZodDefault: ({ innerType, defaultValue }, indent, below) =>
    `${below(innerType, indent)} = ${JSON.stringify(defaultValue())}`,
  ZodEffects: ({ schema, effect }, indent, below) => `${below(schema, indent)} (${effect.type})`,
  ZodPipeline: ({ in: first, out }, indent, below) => `${below(first, indent)} → ${below(out, indent)}`,
  ZodLazy: () => 'itself',
};

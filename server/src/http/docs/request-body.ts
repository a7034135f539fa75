import type { RouteMetadata } from '@holdfast/contracts';
import type { AppRoute } from '@ts-rest/core';
import type { Components } from './components.js';
import { exampleOf } from './examples.js';
import { asOpenApi30, isAnything } from './openapi-3.0.js';
import { mapSchema, type Schema } from './schema.js';

export interface RequestBody {
  content: Record<string, { schema: Schema }>;
}

/** The body of an operation with an example; undefined where nothing of a body is read. */
export function requestBodyOf(
  generated: RequestBody,
  { route, components, name }: { route: AppRoute; components: Components; name: string },
): object | undefined {
  const [type = '', media] = Object.entries(generated.content)[0] ?? [];
  const schema = mapSchema(media?.schema ?? {}, asOpenApi30);
  if (isAnything(schema)) return undefined;
  const { upload } = route.metadata as RouteMetadata;
  const example = exampleOf(schema);
  const taken = components.takeBody(withoutExample(schema), name);
  return {
    description: upload ? `A form with the file part \`${upload.part}\`.` : describe(type),
    required: !isOptional(route),
    content: { [type]: { schema: taken, ...(upload ? {} : { example }) } },
  };
}

const describe = (type: string) =>
  type === 'application/json' ? 'As JSON. Fields that are not known are passed over.' : 'A form.';

const isOptional = (route: AppRoute): boolean => {
  const body: unknown = 'body' in route ? route.body : undefined;
  return body instanceof Object && 'isOptional' in body && (body.isOptional as () => boolean).call(body);
};

/** The example is next to the schema. */
const withoutExample = ({ example: _shown, ...schema }: Schema): Schema => schema;

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const inContainer = z.string().startsWith('/', 'must be an absolute path in the container');
const below = z.string().regex(/^[^/]/, 'must be a path below a volume');

/** How an application is recognised and protected. */
const recipe = z
  .object({
    name: z.string().min(1).max(60),
    /** Without registry and tag. */
    images: z.array(z.string().regex(/^[a-z0-9._/-]+$/)).min(1),
    /** `dump`: only while its databases are dumped. `backup`: also while its volumes are read. */
    stop: z.enum(['never', 'dump', 'backup']),
    /** Kinds of sources that its database servers need. */
    databases: z.array(z.string()).default([]),
    /** Files of SQLite databases; those that don't exist are skipped. */
    sqlite: z.array(inContainer).default([]),
    /** Default: all that it writes to. */
    volumes: z.array(inContainer).optional(),
    /** Left out in each volume. */
    exclude: z.array(below).default([]),
  })
  .strict();

export type Recipe = z.infer<typeof recipe>;

const own = fileURLToPath(new URL('../recipes', import.meta.url));

/** Those of the package, and those of a folder, which come first. Throws an Error that names the file. */
export async function readRecipes(folder: string | undefined): Promise<Recipe[]> {
  // Loaded on first use: it has many files.
  const { parse } = await import('yaml');
  const folders = folder ? [folder, own] : [own];
  return folders.flatMap((each) =>
    readdirSync(each)
      .filter((name) => /\.ya?ml$/.test(name))
      .toSorted()
      .map((name) => readRecipe(`${each}/${name}`, parse)),
  );
}

function readRecipe(file: string, parse: (text: string) => unknown): Recipe {
  const refuse = (problem: string, cause?: unknown) =>
    new Error(`${file} is not a recipe: ${problem}.`, { cause });
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
  const { success, data, error } = recipe.safeParse(content);
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  throw refuse(problems.join('; '));
}

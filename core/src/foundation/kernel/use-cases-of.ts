type Function<Needs> = (needs: Needs, ...input: never[]) => unknown;
type Bound<F> = F extends (needs: never, ...input: infer Input) => infer Result
  ? (...input: Input) => Result
  : never;

/** The functions of a room with their first parameter filled in. */
export const useCasesOf = <Needs, Functions extends Record<string, Function<Needs>>>(
  needs: Needs,
  functions: Functions,
): { [Name in keyof Functions]: Bound<Functions[Name]> } =>
  Object.fromEntries(
    Object.entries(functions).map(([name, work]) => [name, (...input: never[]) => work(needs, ...input)]),
  ) as { [Name in keyof Functions]: Bound<Functions[Name]> };

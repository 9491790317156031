/**
 * Loads a package of `bench/package.json`. The specifier is a variable and the types are written by hand, so that the
 * bench is type-checked where these packages are not installed.
 */
export const load = <M>(specifier: string): Promise<M> => import(specifier) as Promise<M>

export function installFromDebian(...names: readonly string[]): boolean;
export type Found = { path: string; advice: null } | { path: null; advice: string };
export function ensure(find: () => string | null, packageName: string, advice: string): Found;
export function requirePackages(...names: readonly string[]): void;

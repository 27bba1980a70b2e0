export function findRedis(): string | null;
export function ensureRedis(): { path: string; advice: null } | { path: null; advice: string };

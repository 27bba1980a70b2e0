export function findChromium(): string | null;
export function ensureChromium(): { path: string; advice: null } | { path: null; advice: string };

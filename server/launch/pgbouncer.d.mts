export function ensurePgbouncer(): { path: string; advice: null } | { path: null; advice: string };

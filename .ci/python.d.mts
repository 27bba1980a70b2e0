/** See python.mjs. */
export function ensurePython(): { path: string; advice: null } | { path: null; advice: string };

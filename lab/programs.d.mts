export function buildPrograms(input: Readonly<Record<string, string>>): Promise<{ directory: string; remove(): void }>;
export const CHAOS_PROGRAMS: Readonly<Record<string, string>>;

export function buildPrograms(options?: { command?: boolean }): Promise<{ directory: string; remove(): void }>;

export function folderOf(directory: string, part: 'server' | 'pages', id: string): string;
export function currentBuild(directory: string): string | null;
export function makeCurrent(directory: string, id: string): void;
export function useBuilt(directory: string, id: string, name: string): string;
export function markUsed(folder: string): void;
export function removeOldBuilds(directory: string, keptId: string): void;
export function keepOldStatic(directory: string, newPages: string): void;
export function isSource(file: string): boolean;

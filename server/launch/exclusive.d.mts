export function exclusively<T>(file: string, work: () => Promise<T>, onWait: () => void): Promise<T>;
